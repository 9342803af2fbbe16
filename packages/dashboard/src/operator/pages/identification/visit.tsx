import type { HistoryRow } from '@inkling/contract'
import { Badge, Group } from '@mantine/core'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/section.tsx'
import { raisedFlags } from '../identifications/columns.tsx'

const known = (text: string | undefined) => (text === undefined || text === '' ? 'unknown' : text)

export const Visit = ({ row }: { row: HistoryRow }) => (
  <Section title="Visit">
    <Facts
      facts={[
        { name: 'Browser', value: known(row.browser) },
        { name: 'System', value: known(row.os) },
        { name: 'Device type', value: known(row.device_type) },
        { name: 'Country', value: known(row.country) },
        { name: 'Connection', value: known(row.connection_type) },
        { name: 'Traffic', value: traffic(row) },
        ...(row.entry_url === undefined ? [] : [{ name: 'Landing page', value: row.entry_url }]),
        { name: 'Flags', value: <Flags flags={raisedFlags(row)} /> },
      ]}
    />
  </Section>
)

const traffic = ({ traffic_channel, traffic_channel_group, traffic_reason }: HistoryRow): string =>
  [traffic_channel, traffic_channel_group, traffic_reason].filter((part) => part !== undefined).join(' · ') ||
  'unknown'

const Flags = ({ flags }: { flags: readonly string[] }) =>
  flags.length === 0 ? (
    'none'
  ) : (
    <Group gap={4}>
      {flags.map((flag) => (
        <Badge key={flag} variant="default" tt="none" fw={500}>
          {flag.replaceAll('_', ' ')}
        </Badge>
      ))}
    </Group>
  )
