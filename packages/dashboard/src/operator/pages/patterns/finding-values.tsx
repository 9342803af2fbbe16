import type { PatternFindingDetail } from '@inkling/contract/account'
import { Table, Text } from '@mantine/core'
import { Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/section.tsx'

type Values = PatternFindingDetail['values']
type Kind = keyof Values

const TITLES: Record<Kind, string> = {
  user_hid: 'Accounts',
  device_id: 'Devices',
  visitor_id: 'Visitors',
  cookie_id: 'Cookies',
  ip: 'IP addresses',
  country: 'Countries',
}
const SHOWN_MAX = 20

/** What the rows have in common and what not. */
export const FindingValues = ({ values }: { values: Values }) =>
  (Object.keys(TITLES) as Kind[]).map((kind) => (
    <Section key={kind} title={`${TITLES[kind]} (${values[kind].length})`}>
      {values[kind].length === 0 ? (
        <Text size="sm" className="dim">
          none
        </Text>
      ) : (
        <ValueTable kind={kind} values={values[kind].slice(0, SHOWN_MAX)} />
      )}
      {values[kind].length > SHOWN_MAX && (
        <Text size="sm" className="dim">
          and {values[kind].length - SHOWN_MAX} more
        </Text>
      )}
    </Section>
  ))

const ValueTable = ({ kind, values }: { kind: Kind; values: Values[Kind] }) => (
  <Table verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Value</Table.Th>
        <Table.Th ta="right">Visits</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {values.map(({ value, identifications }) => (
        <Table.Tr key={value}>
          <Table.Td>{kind === 'country' ? value : <Identifier type={kind} value={value} short />}</Table.Td>
          <Table.Td ta="right">{identifications}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
