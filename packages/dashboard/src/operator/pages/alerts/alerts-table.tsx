import type { Alert, AlertDelivery } from '@inkling/contract/account'
import { Anchor, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../parts/badges.tsx'
import { countedText, countText, Time } from '../../parts/format.tsx'
import { ScrollTable } from '../../parts/layout.tsx'

/** Alerts with their first events, and what was sent where. */
export const AlertsTable = ({ alerts }: { alerts: readonly Alert[] }) => (
  <ScrollTable
    label="Alerts"
    head={['Began', 'Rule', 'Events', 'What happened', 'Sent']}
    numeric={['Events']}
  >
    {alerts.map((alert) => (
      <Table.Tr key={alert.id}>
        <Table.Td miw={110}>
          <Time at={alert.first_at} />
        </Table.Td>
        <Table.Td miw={120}>
          <Stack gap={4}>
            {alert.rule}
            {alert.open && <StatusBadge tone="suspicious">open</StatusBadge>}
            {alert.muted && <StatusBadge tone="rate_limited">muted</StatusBadge>}
          </Stack>
        </Table.Td>
        <Table.Td ta="right">{countText(alert.events)}</Table.Td>
        <Table.Td miw={260}>
          <Lines alert={alert} />
        </Table.Td>
        <Table.Td miw={180}>
          <Sent alert={alert} />
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)

function Lines({ alert: { lines, events } }: { alert: Alert }) {
  return (
    <Stack gap={2}>
      {lines.map(({ at, text, path }) => (
        <Anchor
          key={`${at} ${path} ${text}`}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link {...props} to={path} />}
        >
          {text}
        </Anchor>
      ))}
      {events > lines.length && (
        <Text size="sm" className="dim">
          and {countText(events - lines.length)} more
        </Text>
      )}
    </Stack>
  )
}

function Sent({ alert: { deliveries, muted } }: { alert: Alert }) {
  if (deliveries.length === 0)
    return (
      <Text size="sm" className="dim">
        {muted ? 'muted: to nobody' : 'to no channel'}
      </Text>
    )
  return (
    <Stack gap={4}>
      {deliveries.map((delivery) => (
        <Delivery key={`${delivery.channel_id} ${delivery.part}`} delivery={delivery} />
      ))}
    </Stack>
  )
}

const STATES = {
  sent: { tone: 'trusted', label: 'sent' },
  waiting: { tone: 'suspicious', label: 'waiting' },
  failed: { tone: 'dangerous', label: 'failed' },
} as const

const Delivery = ({ delivery: { channel, part, state, attempts, answer } }: { delivery: AlertDelivery }) => (
  <div>
    <Group gap={6} wrap="nowrap">
      <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge>
      <Text size="sm">
        {channel}
        {part === 'summary' && ', summary'}
      </Text>
    </Group>
    {state !== 'sent' && attempts > 0 && (
      <Text size="xs" className="dim">
        {countedText(attempts, 'attempt')}: {answer ?? 'no answer'}
      </Text>
    )}
  </div>
)
