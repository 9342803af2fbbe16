import { type Explanation, type HistoryRow, NO_IPV4 } from '@inkling/contract'
import { SimpleGrid, Text } from '@mantine/core'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/section.tsx'
import { Evidence } from './evidence.tsx'
import { readable, readableName } from './readable.ts'

interface NetworkProps {
  network: Explanation['network'] | undefined
  row: HistoryRow
}

/** What the server itself saw of the connection, and the addresses that the network check found. */
export const Network = ({ network, row }: NetworkProps) => (
  <Section title="Network evidence" about="What the server saw, as opposed to what the browser says.">
    {network === undefined && <Text size="sm">No snapshot is kept, so nothing can be shown.</Text>}
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="sm">
      {Object.entries(network ?? {}).map(([name, observation]) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {readableName(name)}
            {observation.source && (
              <Text span size="xs" className="dim" ml={6}>
                seen by {observation.source}
              </Text>
            )}
          </Text>
          {observation.available ? (
            <Value value={observation.value} />
          ) : (
            <Text size="sm" className="dim">
              not seen: {observation.reason?.replaceAll('_', ' ') ?? 'no reason given'}
            </Text>
          )}
        </div>
      ))}
    </SimpleGrid>
    <Facts facts={addresses(row)} />
  </Section>
)

const Value = ({ value }: { value: unknown }) =>
  typeof value === 'object' && value !== null ? (
    <Evidence evidence={value as Record<string, unknown>} />
  ) : (
    <Text size="sm">{readable(value)}</Text>
  )

const address = (ip: string, country: string, candidate: string): string =>
  ip === NO_IPV4 || ip === '' ? 'none' : [ip, country, candidate].filter((part) => part !== '').join(' · ')

const addresses = (row: HistoryRow): Fact[] => [
  {
    name: 'Seen by the check',
    value: address(row.web_rtc_ip, row.web_rtc_country, row.web_rtc_connection_type),
  },
  {
    name: 'Told by the browser',
    value: address(row.scanner_web_rtc_ip, row.scanner_web_rtc_country, row.scanner_web_rtc_connection_type),
  },
  {
    name: 'Local address',
    value: address(row.webrtc_leak_ip, row.webrtc_leak_country, row.webrtc_leak_connection_type),
  },
  {
    name: 'MTU',
    value: row.mtu_value === 0 ? 'unknown' : `${row.mtu_value} ${row.mtu_hint.replaceAll('_', ' ')}`,
  },
]
