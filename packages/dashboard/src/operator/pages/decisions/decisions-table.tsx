import type { StoredDecision } from '@inkling/contract'
import { Group, Table, Text } from '@mantine/core'
import { ActionBadge } from '../../parts/action-badge.tsx'
import { ScoreBadge } from '../../parts/badges.tsx'
import { Time } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { VisitLink } from '../../parts/visit-link.tsx'
import { PURPOSE_LABELS } from '../decision-rules/purposes.ts'

interface DecisionsTableProps {
  domain: string
  decisions: readonly StoredDecision[]
}

/** Each row leads to its visit, whose page has all of the decision. */
export const DecisionsTable = ({ domain, decisions }: DecisionsTableProps) => (
  <ScrollTable
    label="Decisions"
    head={['Time', 'Action', 'Purpose', 'Reason', 'Account', 'Score']}
    miw={900}
    withTableBorder
  >
    {decisions.map((decision) => (
      <Table.Tr key={decision.decision_id}>
        <Table.Td>
          <VisitLink size="sm" domain={domain} requestId={decision.request_id}>
            <Time at={decision.decided_at} />
          </VisitLink>
        </Table.Td>
        <Table.Td>
          <Group gap={4}>
            <ActionBadge action={decision.action} />
            {decision.changed && decision.changed.action !== decision.action && (
              <Text size="xs" className="dim" component="span">
                now <ActionBadge action={decision.changed.action} size="sm" />
              </Text>
            )}
          </Group>
        </Table.Td>
        <Table.Td>{PURPOSE_LABELS[decision.purpose]}</Table.Td>
        <Table.Td>{decision.reasons[0]}</Table.Td>
        <Table.Td>
          {decision.account !== null && <Identifier type="user_hid" value={decision.account} />}
        </Table.Td>
        <Table.Td>
          <ScoreBadge score={decision.score} />
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)
