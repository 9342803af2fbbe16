import { DECISION_ACTIONS, type DecisionAction, PATTERN_NAMES, type PatternName } from '@inkling/contract'
import { Group, MultiSelect, NumberInput, Select } from '@mantine/core'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { type DraftCondition, patternTitle } from './rule-words.ts'

interface FieldsProps<When extends DraftCondition> {
  domain: string
  when: When
  set(when: DraftCondition): void
}

/** What the rule watches, after its source was chosen. */
export function ConditionFields({ domain, when, set }: FieldsProps<DraftCondition>) {
  switch (when.source) {
    case 'finding':
      return <FindingFields domain={domain} when={when} set={set} />
    case 'decision':
      return <DecisionFields domain={domain} when={when} set={set} />
    case 'volume':
      return <VolumeFields domain={domain} when={when} set={set} />
    case 'health':
      return <HealthFields domain={domain} when={when} set={set} />
  }
}

const FindingFields = ({ when, set }: FieldsProps<Extract<DraftCondition, { source: 'finding' }>>) => (
  <>
    <MultiSelect
      label="Patterns"
      placeholder={when.patterns.length === 0 ? 'all of them' : ''}
      data={PATTERN_NAMES.map((value) => ({ value, label: patternTitle(value) }))}
      value={when.patterns}
      onChange={(patterns) => set({ ...when, patterns: patterns as PatternName[] })}
    />
    <Select
      label="From grade"
      data={[
        { value: 'suspicious', label: 'Suspicious' },
        { value: 'dangerous', label: 'Dangerous' },
      ]}
      value={when.grade}
      allowDeselect={false}
      onChange={(grade) => set({ ...when, grade: grade === 'suspicious' ? grade : 'dangerous' })}
    />
  </>
)

function DecisionFields({ domain, when, set }: FieldsProps<Extract<DraftCondition, { source: 'decision' }>>) {
  const maySee = useMay('visits:read')
  const { data } = useApiQuery('listDecisionRules', { params: { domain } }, { enabled: maySee })
  const rules = (data?.rules ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const { source, action, rule_id } = when
  return (
    <>
      <Select
        label="Action"
        placeholder="any"
        data={DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))}
        value={action ?? null}
        clearable
        onChange={(chosen) =>
          set({
            source,
            ...(chosen !== null && { action: chosen as DecisionAction }),
            ...(rule_id !== undefined && { rule_id }),
          })
        }
      />
      <Select
        label="With decision rule"
        placeholder="any"
        data={rules}
        value={rule_id === undefined ? null : String(rule_id)}
        clearable
        onChange={(chosen) =>
          set({
            source,
            ...(action !== undefined && { action }),
            ...(chosen !== null && { rule_id: Number(chosen) }),
          })
        }
      />
    </>
  )
}

const VolumeFields = ({ when, set }: FieldsProps<Extract<DraftCondition, { source: 'volume' }>>) => (
  <>
    <Group grow>
      <Select
        label="Of"
        data={[
          { value: 'identifications', label: 'All visits' },
          { value: 'dangerous', label: 'Dangerous visits' },
        ]}
        value={when.of}
        allowDeselect={false}
        onChange={(of) => set({ ...when, of: of === 'dangerous' ? of : 'identifications' })}
      />
      <Select
        label="Within"
        data={[
          { value: 'hour', label: 'An hour' },
          { value: 'day', label: 'A day' },
        ]}
        value={when.within}
        allowDeselect={false}
        onChange={(within) => set({ ...when, within: within === 'day' ? within : 'hour' })}
      />
    </Group>
    <Group grow>
      <Select
        label="Are"
        data={[
          { value: 'over', label: 'more than' },
          { value: 'under', label: 'fewer than' },
          { value: 'times', label: 'more than the usual times' },
        ]}
        value={when.is}
        allowDeselect={false}
        onChange={(is) => set({ ...when, is: is === 'over' || is === 'under' ? is : 'times' })}
      />
      <NumberInput
        label="Number"
        value={when.value}
        min={1}
        allowDecimal={when.is === 'times'}
        required
        onChange={(value) => set({ ...when, value })}
      />
    </Group>
  </>
)

const HealthFields = ({ when, set }: FieldsProps<Extract<DraftCondition, { source: 'health' }>>) => (
  <Select
    label="From state"
    data={[
      { value: 'warn', label: 'Warning' },
      { value: 'problem', label: 'Problem' },
    ]}
    value={when.state}
    allowDeselect={false}
    onChange={(state) => set({ ...when, state: state === 'warn' ? state : 'problem' })}
  />
)
