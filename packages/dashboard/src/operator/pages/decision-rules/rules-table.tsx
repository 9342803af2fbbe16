import type { SavedDecisionRule } from '@inkling/contract/account'
import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EffectBadge } from '../../parts/action-badge.tsx'
import { countText } from '../../parts/format.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { purposesText } from './purposes.ts'
import { RuleState } from './rule-state.tsx'

const HITS = ['Met on', 'Met in shadow', 'Failed']

const sum = (rule: SavedDecisionRule, count: (hit: SavedDecisionRule['hits'][number]) => number): string =>
  countText(rule.hits.reduce((all, hit) => all + count(hit), 0))

/** In the order in which they decide: the highest priority first, then the oldest. */
export const RulesTable = ({ domain, rules }: { domain: string; rules: readonly SavedDecisionRule[] }) => (
  <ScrollTable
    label="Rules"
    // The state second, so that it is in sight however narrow the window is.
    head={['Rule', 'State', 'Does', 'Priority', ...HITS]}
    numeric={['Priority', ...HITS]}
    miw={760}
    withTableBorder
  >
    {rules
      .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
      .map((rule) => (
        <Table.Tr key={rule.id}>
          <Table.Td miw={200}>
            <Anchor
              size="sm"
              fw={600}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/d/$domain/decision-rules/$ruleId"
                  params={{ domain, ruleId: String(rule.id) }}
                />
              )}
            >
              {rule.name}
            </Anchor>
            <Text size="xs" className="dim" lineClamp={2} component="div">
              <code>{rule.condition}</code>
            </Text>
            <Text size="xs" className="dim">
              For {purposesText(rule.purposes)}
            </Text>
          </Table.Td>
          <Table.Td>
            <RuleState domain={domain} rule={rule} />
          </Table.Td>
          <Table.Td>
            <EffectBadge effect={rule.effect} />
          </Table.Td>
          <Table.Td ta="right">{rule.priority}</Table.Td>
          <Table.Td ta="right">{sum(rule, ({ state, met }) => (state === 'on' ? met : 0))}</Table.Td>
          <Table.Td ta="right">{sum(rule, ({ state, met }) => (state === 'shadow' ? met : 0))}</Table.Td>
          <Table.Td ta="right">{sum(rule, ({ failed }) => failed)}</Table.Td>
        </Table.Tr>
      ))}
  </ScrollTable>
)
