import { type Explanation, type HistoryRow, NO_IPV4 } from '@inkling/contract'
import { SimpleGrid, Text } from '@mantine/core'
import { labelOf } from '../../../evidence/evidence-fields.ts'
import { isRecord } from '../../../evidence/plain-words.ts'
import { Evidence } from '../../parts/evidence.tsx'
import { words } from '../../parts/format.tsx'
import { type Fact, Facts, Section } from '../../parts/layout.tsx'

interface NetworkProps {
  explanation: Pick<Explanation, 'network' | 'unavailable'>
  row: HistoryRow
}

/** What the server itself observed of the connection, and the addresses that WebRTC revealed. */
export const Network = ({ explanation: { network, unavailable = [] }, row }: NetworkProps) => (
  <Section title="Network evidence" about="What the server observed, as opposed to what the browser reports.">
    {network === undefined && (
      <Text size="sm">
        {unavailable.includes('network')
          ? 'The cold storage, which has the snapshots of old visits, does not respond. Try again later.'
          : 'The snapshot was not stored, so there is nothing to show.'}
      </Text>
    )}
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="sm">
      <Observations network={network} />
    </SimpleGrid>
    <Facts facts={addresses(row)} />
  </Section>
)

export const Observations = ({ network }: { network: Explanation['network'] | undefined }) =>
  Object.entries(network ?? {}).map(([name, observation]) => (
    <div key={name}>
      <Text size="sm" fw={600}>
        {labelOf(name)}
        {observation.source && (
          <Text span size="xs" className="dim" ml={6}>
            from {observation.source}
          </Text>
        )}
      </Text>
      {observation.available ? (
        <Evidence
          evidence={isRecord(observation.value) ? observation.value : { [name]: observation.value }}
        />
      ) : (
        <Text size="sm" className="dim">
          not available: {words(observation.reason ?? 'reason unknown')}
        </Text>
      )}
    </div>
  ))

const address = (ip: string, country: string, candidate: string): string =>
  ip === NO_IPV4 || ip === '' ? 'none' : [ip, country, candidate].filter((part) => part !== '').join(' · ')

const addresses = (row: HistoryRow): Fact[] => [
  {
    name: 'Network check',
    value: address(row.web_rtc_ip, row.web_rtc_country, row.web_rtc_connection_type),
  },
  {
    name: 'Reported by the browser',
    value: address(row.scanner_web_rtc_ip, row.scanner_web_rtc_country, row.scanner_web_rtc_connection_type),
  },
  {
    name: 'Leaked address',
    value: address(row.webrtc_leak_ip, row.webrtc_leak_country, row.webrtc_leak_connection_type),
  },
  {
    name: 'MTU',
    value: row.mtu_value === 0 ? 'unknown' : `${row.mtu_value} ${words(row.mtu_hint)}`,
  },
]
