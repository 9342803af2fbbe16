import type { Explanation, HistoryRow } from '@inkling/contract'
import { NIL_UUID, NO_IPV4, namesAccount } from '@inkling/contract'
import { Group, Table, Text } from '@mantine/core'
import { useMay } from '../../api/rights.ts'
import { words } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { ListBadge, ListedValue } from '../../parts/list-entries-table.tsx'
import { AddListEntry } from '../../parts/list-entry-dialog.tsx'
import { KIND_LABELS, KIND_OF_IDENTIFIER } from '../../parts/list-words.ts'
import { localIpOf } from '../identifications/listed-row.ts'

type Matches = NonNullable<Explanation['lists']>

interface VisitListsProps {
  domain: string
  row: HistoryRow
  /** As they were at the time of the visit. */
  matches: Matches | undefined
}

/** The entries that the visit matched, and a way to add what it had. */
export function VisitLists({ domain, row, matches = [] }: VisitListsProps) {
  const mayChange = useMay('lists:write')
  return (
    <Section title="Lists" about="Entries of your lists that it matched, as they were then.">
      {matches.length === 0 ? (
        <Text size="sm">It matched none.</Text>
      ) : (
        <ScrollTable label="Matched entries" head={['List', 'Kind', 'Value', 'Reason']} miw={420}>
          {matches.map(({ list, kind, value, reason }) => (
            <Table.Tr key={`${list} ${kind} ${value}`}>
              <Table.Td>
                <ListBadge list={list} />
              </Table.Td>
              <Table.Td>{KIND_LABELS[kind as keyof typeof KIND_LABELS] ?? words(kind)}</Table.Td>
              <Table.Td>
                <ListedValue kind={kind} value={value} />
              </Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
      {mayChange && (
        <Group>
          <AddListEntry domain={domain} title="Add to a list" offered={subjectsOfVisit(row)} quiet />
        </Group>
      )}
    </Section>
  )
}

const TYPES = ['device_id', 'visitor_id', 'user_hid', 'ip', 'local_ip', 'cookie_id', 'session_id'] as const

/** What a visit had that names somebody, in the words of lists and labels. */
export const subjectsOfVisit = (row: HistoryRow) =>
  TYPES.flatMap((type) => {
    const value = type === 'local_ip' ? localIpOf(row) : row[type]
    const names = type === 'user_hid' ? namesAccount(value) : value !== NIL_UUID && value !== NO_IPV4
    return names && value !== '' ? [{ kind: KIND_OF_IDENTIFIER[type], value }] : []
  })
