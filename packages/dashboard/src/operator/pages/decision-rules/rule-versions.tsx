import type { DecisionRuleVersion, SavedDecisionRule } from '@inkling/contract/account'
import { Button, Table, Text } from '@mantine/core'
import { useApiQuery } from '../../api/use-api.ts'
import { EffectBadge } from '../../parts/action-badge.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { StateBadge } from './rule-state.tsx'

interface RuleVersionsProps {
  domain: string
  rule: SavedDecisionRule
  /** Copies a version into the form; undefined for analysts. */
  load?: (version: DecisionRuleVersion) => void
}

/** Every version of a rule: each save, and each change of its state. */
export function RuleVersions({ domain, rule, load }: RuleVersionsProps) {
  const query = useApiQuery('listDecisionRuleVersions', { params: { domain, rule_id: rule.id } })
  return (
    <Section
      title="Versions"
      about="“Load” copies a version into the form above, where you can test and save it."
    >
      <Loaded query={query}>
        {({ versions }) => (
          <ScrollTable
            label="Versions of the rule"
            head={['Version', 'State', 'Does', 'Condition', 'Saved', ...(load ? ['Load'] : [])]}
            miw={680}
          >
            {versions.map((version) => (
              <Table.Tr key={version.version}>
                <Table.Td>{version.version}</Table.Td>
                <Table.Td>
                  <StateBadge state={version.state} />
                </Table.Td>
                <Table.Td>
                  <EffectBadge effect={version.effect} />
                </Table.Td>
                <Table.Td>
                  <Text size="xs" component="div">
                    <code>{version.condition}</code>
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Time at={version.saved_at} />
                  <Text size="xs" className="dim">
                    {version.actor}
                  </Text>
                </Table.Td>
                {load && (
                  <Table.Td>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Load version ${version.version}`}
                      onClick={() => load(version)}
                    >
                      Load
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </ScrollTable>
        )}
      </Loaded>
    </Section>
  )
}
