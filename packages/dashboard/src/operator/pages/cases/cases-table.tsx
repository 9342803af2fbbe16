import type { Case } from '@inkling/contract/account'
import { Anchor, Checkbox, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ActionBadge } from '../../parts/action-badge.tsx'
import { CASE_STATUS_LABELS, DueTime, PRIORITY_LABELS, SubjectLink } from '../../parts/case-words.tsx'
import { ScrollTable } from '../../parts/layout.tsx'

interface CasesTableProps {
  domain: string
  cases: readonly Case[]
  selected: ReadonlySet<number>
  toggle(number: number): void
}

export const CasesTable = ({ domain, cases, selected, toggle }: CasesTableProps) => (
  <ScrollTable
    label="Cases"
    head={['Select', 'Case', 'About', 'Status', 'Priority', 'Reviews', 'Assignee', 'Due']}
    numeric={['Reviews']}
    miw={900}
    highlightOnHover
  >
    {cases.map((shown) => (
      <Table.Tr key={shown.number}>
        <Table.Td>
          <Checkbox
            aria-label={`Select case ${shown.number}`}
            checked={selected.has(shown.number)}
            onChange={() => toggle(shown.number)}
          />
        </Table.Td>
        <Table.Td>
          <Anchor
            size="sm"
            fw={600}
            data-case={shown.number}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/d/$domain/cases/$number"
                params={{ domain, number: String(shown.number) }}
              />
            )}
          >
            {`${shown.number} ${shown.title}`}
          </Anchor>
        </Table.Td>
        <Table.Td>
          <SubjectLink domain={domain} subject={shown.subject} short />
        </Table.Td>
        <Table.Td>
          {shown.outcome === null ? CASE_STATUS_LABELS[shown.status] : <ActionBadge action={shown.outcome} />}
        </Table.Td>
        <Table.Td>{PRIORITY_LABELS[shown.priority]}</Table.Td>
        <Table.Td ta="right">{shown.reviews}</Table.Td>
        <Table.Td>
          {shown.assignee ?? (
            <Text span size="sm" className="dim">
              nobody
            </Text>
          )}
        </Table.Td>
        <Table.Td>
          <DueTime shown={shown} />
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)
