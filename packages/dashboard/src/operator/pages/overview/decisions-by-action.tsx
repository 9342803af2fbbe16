import { DECISION_ACTIONS, type DecisionAction } from '@inkling/contract'
import type { DecisionCounts } from '@inkling/contract/account'
import { Anchor, Group, Progress, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { countText, shareText } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import type { TimeRange } from './overview-search.ts'

const REFRESH_MS = 60_000

interface DecisionsByActionProps {
  domain: string
  range: TimeRange
}

/** How often the backend was told to do what. */
export function DecisionsByAction({ domain, range }: DecisionsByActionProps) {
  const query = useApiQuery(
    'countDecisions',
    { params: { domain }, query: range },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Section title="Decisions by action" about="What your backend was told when it asked about a visit.">
      <Loaded query={query}>
        {({ actions }) =>
          DECISION_ACTIONS.every((action) => actions[action].total === 0) ? (
            <NoneAsked domain={domain} />
          ) : (
            <CountsTable domain={domain} range={range} actions={actions} />
          )
        }
      </Loaded>
    </Section>
  )
}

const NoneAsked = ({ domain }: { domain: string }) => (
  <Text size="sm" className="dim">
    No decision was asked for in this range. What decides is under{' '}
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link {...props} to="/d/$domain/decision-rules" params={{ domain }} />}
    >
      decision rules
    </Anchor>
    .
  </Text>
)

interface CountsTableProps extends DecisionsByActionProps {
  actions: DecisionCounts['actions']
}

function CountsTable({ domain, range, actions }: CountsTableProps) {
  const counts = Object.values(actions)
  // A count that stopped at its limit has no share.
  const all = counts.every(({ complete }) => complete)
    ? counts.reduce((sum, { total }) => sum + total, 0)
    : undefined
  return (
    <Table verticalSpacing={6} horizontalSpacing={4} layout="fixed" fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="60%">Action</Table.Th>
          <Table.Th ta="right">Decisions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {DECISION_ACTIONS.map((action) => (
          <Table.Tr key={action}>
            <Table.Td>
              <Group justify="space-between" gap="xs">
                <DecisionsWith domain={domain} range={range} action={action} />
                {all !== undefined && (
                  <Text span size="xs" className="dim">
                    {shareText(actions[action].total / all)}
                  </Text>
                )}
              </Group>
              {all !== undefined && (
                <Progress
                  value={(actions[action].total / all) * 100}
                  size="sm"
                  aria-label={`${ACTION_LABELS[action]}: ${shareText(actions[action].total / all)}`}
                />
              )}
            </Table.Td>
            <Table.Td ta="right">
              {actions[action].complete
                ? countText(actions[action].total)
                : `at least ${countText(actions[action].total)}`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const DecisionsWith = ({ domain, range, action }: DecisionsByActionProps & { action: DecisionAction }) => (
  <Anchor
    inherit
    renderRoot={(props) => (
      <Link {...props} to="/d/$domain/decisions" params={{ domain }} search={{ action, ...range }} />
    )}
  >
    {ACTION_LABELS[action]}
  </Anchor>
)
