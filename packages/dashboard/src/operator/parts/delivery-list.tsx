import type { Delivery } from '@inkling/contract/account'
import { Accordion, Group, Text } from '@mantine/core'
import { StatusBadge } from './badges.tsx'
import { CodeBlock } from './code.tsx'
import { Time } from './format.tsx'

/** Webhook deliveries with their outcome; each one opens to the body that was sent. */
export const DeliveryList = ({ deliveries }: { deliveries: readonly Delivery[] }) => (
  <Accordion variant="contained" multiple keepMounted={false}>
    {deliveries.map((delivery) => (
      <Accordion.Item key={delivery.id} value={String(delivery.id)}>
        <Accordion.Control>
          <Group gap="xs">
            <Outcome delivery={delivery} />
            <Text span size="sm">
              <Time at={delivery.sent_at} />
            </Text>
            <Text span size="sm" className="dim">
              {delivery.event_type} · endpoint {delivery.endpoint_id} · attempt {delivery.attempt} ·{' '}
              {delivery.duration_ms} ms
            </Text>
          </Group>
        </Accordion.Control>
        <Accordion.Panel>
          {delivery.error !== null && (
            <Text size="sm" mb="xs">
              {delivery.error}
            </Text>
          )}
          {delivery.body === null ? (
            <Text size="sm">
              The cold storage, which has the bodies of old events, does not respond. Try again later.
            </Text>
          ) : (
            <CodeBlock title={`Body of delivery ${delivery.id}`} code={delivery.body} />
          )}
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
)

function Outcome({ delivery: { status } }: { delivery: Delivery }) {
  const delivered = status !== null && status >= 200 && status < 300
  return (
    <StatusBadge tone={delivered ? 'trusted' : 'dangerous'}>
      {status === null ? 'no response' : `${status} ${delivered ? 'delivered' : 'rejected'}`}
    </StatusBadge>
  )
}
