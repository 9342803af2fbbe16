import { PATTERN_CATALOGUE } from '@inkling/contract'
import { FINDING_ROWS_MAX, type PatternFindingDetail } from '@inkling/contract/account'
import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/layout.tsx'
import { AddAllToList } from '../../parts/list-entry-dialog.tsx'
import { KIND_OF_IDENTIFIER } from '../../parts/list-words.ts'

type Values = PatternFindingDetail['values']
type Kind = keyof Values

/** One and several. */
const NOUNS: Record<Kind, readonly [string, string]> = {
  user_hid: ['account', 'accounts'],
  device_id: ['device', 'devices'],
  visitor_id: ['visitor', 'visitors'],
  cookie_id: ['cookie', 'cookies'],
  ip: ['IP address', 'IP addresses'],
  country: ['country', 'countries'],
}
/** The rest is shown on request. */
const SHOWN_FIRST = 20

interface FindingValuesProps {
  domain: string
  detail: PatternFindingDetail
}

/** The values that the identifications share, and those that differ. */
export const FindingValues = ({ domain, detail }: FindingValuesProps) =>
  (Object.keys(NOUNS) as Kind[]).map((kind) => (
    <KindOfValue key={kind} domain={domain} detail={detail} kind={kind} />
  ))

function KindOfValue({ domain, detail, kind }: FindingValuesProps & { kind: Kind }) {
  const mayChange = useMay('lists:write')
  const [all, setAll] = useState(false)
  const values = detail.values[kind]
  const [one, several] = NOUNS[kind]
  const isCut = values.length > 0 && detail.rows.length === FINDING_ROWS_MAX
  // Anybody can name an account that the customer has not signed, also somebody else's. No list holds control characters,
  // so one account with such must not keep the others from it.
  const listable = values
    .filter(({ claimed, value }) => !claimed && !/\p{Cc}/u.test(value))
    .map(({ value }) => value)
  return (
    <Section
      title={`${several.charAt(0).toUpperCase()}${several.slice(1)} (${isCut ? 'at least ' : ''}${values.length})`}
    >
      {values.length === 0 ? (
        <Text size="sm" className="dim">
          none
        </Text>
      ) : (
        <ValueTable kind={kind} values={values.slice(0, all ? undefined : SHOWN_FIRST)} />
      )}
      <Group>
        {values.length > SHOWN_FIRST && !all && (
          <Button size="xs" variant="default" onClick={() => setAll(true)}>
            Show all {values.length}
          </Button>
        )}
        {mayChange && kind !== 'country' && listable.length > 0 && (
          <AddAllToList
            domain={domain}
            kind={KIND_OF_IDENTIFIER[kind]}
            values={listable}
            counted={`${listable.length} ${listable.length === 1 ? one : several}`}
            because={PATTERN_CATALOGUE[detail.finding.pattern].title}
          />
        )}
      </Group>
    </Section>
  )
}

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
