import type { VelocityCounts } from '@inkling/contract'
import { Table } from '@mantine/core'
import { countText } from './format.tsx'
import { ScrollTable } from './layout.tsx'

const WINDOWS = { m5: '5 minutes', h1: '1 hour', h24: '24 hours', d7: '7 days' } as const
type Window = keyof typeof WINDOWS

const COUNTERS = {
  visits: 'Visits',
  devices: 'Devices',
  accounts: 'Accounts',
  addresses: 'Addresses',
  countries: 'Countries',
  cookies: 'Cookies',
} as const satisfies Record<keyof VelocityCounts, string>

/**
 * More than 256 different values in 7 days are estimated. Because an estimate may also be too low, it can stand below
 * that, so the word comes some way earlier.
 */
const ESTIMATED_FROM = 200

const isEstimate = (counter: keyof VelocityCounts, counts: VelocityCounts): boolean =>
  counter !== 'visits' && counts[counter].d7 >= ESTIMATED_FROM

interface VelocityTableProps {
  /** Of what, for readers that cannot see the heading. */
  label: string
  counts: VelocityCounts
}

/** Six counters in four windows. */
export const VelocityTable = ({ label, counts }: VelocityTableProps) => (
  <ScrollTable
    label={label}
    head={['Counted', ...Object.values(WINDOWS)]}
    numeric={Object.values(WINDOWS)}
    miw={400}
    maw={680}
    verticalSpacing={3}
  >
    {(Object.keys(COUNTERS) as (keyof VelocityCounts)[]).map((counter) => (
      <Table.Tr key={counter}>
        <Table.Th scope="row" fw={500}>
          {COUNTERS[counter]}
        </Table.Th>
        {(Object.keys(WINDOWS) as Window[]).map((window) => (
          <Table.Td key={window} ta="right" className="mono one-line">
            {isEstimate(counter, counts) && 'about '}
            {countText(counts[counter][window])}
          </Table.Td>
        ))}
      </Table.Tr>
    ))}
  </ScrollTable>
)
