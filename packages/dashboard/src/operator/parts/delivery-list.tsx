import type { Delivery } from '@inkling/contract/account'
import { Accordion, Badge, Group, Text } from '@mantine/core'
import { CodeBlock } from './code-block.tsx'
import { Time } from './time.tsx'

/** Sends with their outcome; each opens to the text that was sent. */
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
          <CodeBlock title={`Body of send ${delivery.id}`} code={delivery.body} />
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
)

function Outcome({ delivery: { status } }: { delivery: Delivery }) {
  const delivered = status !== null && status >= 200 && status < 300
  return (
    <Badge
      variant="light"
      color={delivered ? 'teal' : 'red'}
      tt="none"
      className={delivered ? 'band-trusted' : 'band-dangerous'}
    >
      {status === null ? 'no answer' : `${status} ${delivered ? 'delivered' : 'refused'}`}
    </Badge>
  )
}
