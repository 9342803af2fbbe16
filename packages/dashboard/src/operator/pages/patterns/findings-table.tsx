import { PATTERN_CATALOGUE } from '@inkling/contract'
import type { PatternFinding } from '@inkling/contract/account'
import { Anchor, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../parts/badges.tsx'
import { Time } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'

interface FindingsTableProps {
  domain: string
  findings: readonly PatternFinding[]
}

export const FindingsTable = ({ domain, findings }: FindingsTableProps) => (
  <ScrollTable
    label="Findings"
    head={['Grade', 'Pattern', 'Entity', 'Count', 'Average score', 'Last seen']}
    numeric={['Count', 'Average score']}
    miw={760}
    withTableBorder
  >
    {findings.map((finding) => (
      <Table.Tr key={finding.id}>
        <Table.Td>
          <GradeBadge finding={finding} />
        </Table.Td>
        <Table.Td>
          <FindingLink domain={domain} finding={finding} />
        </Table.Td>
        <Table.Td>
          {IDENTIFIER_LABELS[finding.entity_type]} <EntityLink finding={finding} short />
        </Table.Td>
        <Table.Td ta="right">{finding.count}</Table.Td>
        <Table.Td ta="right">{finding.average_score.toFixed(1)}</Table.Td>
        <Table.Td>
          <Time at={finding.last_at} />
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)

export function GradeBadge({ finding: { grade, resolved_at } }: { finding: PatternFinding }) {
  if (resolved_at !== null) return <StatusBadge tone="rate_limited">Resolved</StatusBadge>
  return <StatusBadge tone={grade}>{BAND_LABELS[grade]}</StatusBadge>
}

interface EntityLinkProps {
  finding: PatternFinding
  short?: boolean
}

/** Links to the page of the entity. */
export const EntityLink = ({ finding: { entity_type, entity_value }, short = false }: EntityLinkProps) => (
  <Identifier type={entity_type} value={entity_value} short={short} copy={!short} />
)

interface FindingLinkProps {
  domain: string
  finding: PatternFinding
}

export const FindingLink = ({ domain, finding: { id, pattern } }: FindingLinkProps) => (
  <Anchor
    inherit
    renderRoot={(props) => (
      <Link {...props} to="/d/$domain/patterns/$findingId" params={{ domain, findingId: String(id) }} />
    )}
  >
    {PATTERN_CATALOGUE[pattern].title}
  </Anchor>
)
