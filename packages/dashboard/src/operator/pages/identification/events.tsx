import type { Delivery, PendingEvent } from '@inkling/contract/account'
import { Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DeliveryList } from '../../parts/delivery-list.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'

interface EventsProps {
  deliveries: readonly Delivery[]
  pending: readonly PendingEvent[]
}

/** The exact text that went out, and what became of it. */
export const Events = ({ deliveries, pending }: EventsProps) => (
  <Section title="Webhook events">
    {deliveries.length + pending.length === 0 && (
      <Text size="sm">No event was made of it: no enabled endpoint was there.</Text>
    )}
    {pending.map(({ endpoint_id, attempts, due_at, body }) => (
      <Stack key={endpoint_id} gap="xs">
        <Text size="sm">
          Waits for endpoint {endpoint_id} after {attempts} {attempts === 1 ? 'send' : 'sends'}; next at{' '}
          <Time at={due_at} />
        </Text>
        <CodeBlock title={`Body that waits for endpoint ${endpoint_id}`} code={body} />
      </Stack>
    ))}
    {deliveries.length > 0 && <DeliveryList deliveries={deliveries} />}
  </Section>
)
