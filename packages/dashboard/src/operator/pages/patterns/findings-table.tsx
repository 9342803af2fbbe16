import type { PatternFinding } from '@inkling/contract/account'
import { ScrollArea, Table } from '@mantine/core'
import { Time } from '../../parts/time.tsx'
import { ENTITY_LABELS, EntityLink, FindingLink, GradeBadge } from './finding-parts.tsx'

interface FindingsTableProps {
  domain: string
  findings: readonly PatternFinding[]
}

export const FindingsTable = ({ domain, findings }: FindingsTableProps) => (
  <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Findings' }}>
    <Table miw={760} withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Grade</Table.Th>
          <Table.Th>Pattern</Table.Th>
          <Table.Th>On</Table.Th>
          <Table.Th ta="right">Count</Table.Th>
          <Table.Th ta="right">Average score</Table.Th>
          <Table.Th>Last seen</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {findings.map((finding) => (
          <Table.Tr key={finding.id}>
            <Table.Td>
              <GradeBadge finding={finding} />
            </Table.Td>
            <Table.Td>
              <FindingLink domain={domain} finding={finding} />
            </Table.Td>
            <Table.Td>
              {ENTITY_LABELS[finding.entity_type]} <EntityLink finding={finding} short />
            </Table.Td>
            <Table.Td ta="right">{finding.count}</Table.Td>
            <Table.Td ta="right">{finding.average_score.toFixed(1)}</Table.Td>
            <Table.Td>
              <Time at={finding.last_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea>
)
