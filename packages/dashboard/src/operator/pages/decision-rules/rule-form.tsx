import type { DecisionPurpose } from '@inkling/contract'
import { CONDITION_LENGTH_MAX, DECISION_ACTIONS, DECISION_PURPOSES } from '@inkling/contract'
import { Group, MultiSelect, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useApi, useApiQuery } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { ConditionEditor, type ConditionProblem } from './condition-editor.tsx'
import type { DraftRule } from './draft-rule.ts'
import { PURPOSE_LABELS } from './purposes.ts'

interface RuleFormProps {
  draft: DraftRule
  set(draft: DraftRule): void
  readOnly: boolean
  /** Another number makes the editor show the draft's condition anew. */
  loads: number
  problem: ConditionProblem | null
  setProblem(problem: ConditionProblem | null): void
}

/** The parts of a rule. */
export function RuleForm({ draft, set, readOnly, loads, problem, setProblem }: RuleFormProps) {
  const api = useApi()
  const facts = useApiQuery('listDecisionFacts', {})

  const checks = useRef(0)

  /** Where the server cannot be asked, saving will tell. */
  async function check(condition: string): Promise<ConditionProblem | null> {
    checks.current += 1
    const mine = checks.current
    const found =
      condition.trim() === ''
        ? null
        : await api.call('checkDecisionCondition', { body: { condition } }).then(
            (answer) => answer.problem,
            () => null,
          )
    // An answer about what was there before says nothing of what is there now.
    if (mine === checks.current) setProblem(found)
    return found
  }

  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        description="Answers to your backend give it as the reason."
        value={draft.name}
        maxLength={80}
        required
        readOnly={readOnly}
        onChange={(event) => set({ ...draft, name: event.currentTarget.value })}
      />
      <Loaded query={facts}>
        {({ facts: known }) => (
          <div>
            <ConditionEditor
              key={loads}
              initial={draft.condition}
              facts={known}
              readOnly={readOnly}
              change={(condition) => set({ ...draft, condition })}
              check={check}
            />
            {problem ? (
              <Text size="sm" mt={4} role="alert" fw={600}>
                {`Line ${problem.line}, column ${problem.column}: ${problem.message}`}
              </Text>
            ) : (
              !readOnly && (
                <Text size="xs" mt={4} className="dim">
                  Type a part of a fact’s name, or press Ctrl+Space for all of them.
                  {draft.condition.length > CONDITION_LENGTH_MAX &&
                    ` At most ${CONDITION_LENGTH_MAX} characters.`}
                </Text>
              )
            )}
          </div>
        )}
      </Loaded>
      <Group align="flex-start" gap="sm">
        <Does draft={draft} set={set} readOnly={readOnly} />
        <NumberInput
          label="Priority"
          value={draft.priority}
          min={-1000}
          max={1000}
          allowDecimal={false}
          readOnly={readOnly}
          onChange={(next) => set({ ...draft, priority: typeof next === 'number' ? next : '' })}
          w={110}
        />
        <MultiSelect
          label="For"
          placeholder={draft.purposes.length === 0 ? 'everything' : ''}
          data={DECISION_PURPOSES.map((value) => ({ value, label: PURPOSE_LABELS[value] }))}
          value={draft.purposes}
          readOnly={readOnly}
          onChange={(purposes) => set({ ...draft, purposes: purposes as DecisionPurpose[] })}
          flex="1 1 220px"
        />
      </Group>
    </Stack>
  )
}

const Does = ({ draft, set, readOnly }: Pick<RuleFormProps, 'draft' | 'set' | 'readOnly'>) => (
  <>
    <Select
      label="Does"
      data={[
        ...DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] })),
        { value: 'points', label: 'Add points' },
      ]}
      value={draft.does}
      allowDeselect={false}
      readOnly={readOnly}
      onChange={(does) => set({ ...draft, does: (does as DraftRule['does'] | null) ?? draft.does })}
      w={140}
    />
    {draft.does === 'points' &&
      (['points', 'cap'] as const).map((part) => (
        <NumberInput
          key={part}
          label={part === 'points' ? 'Points' : 'Up to a score of'}
          value={draft[part]}
          min={1}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          readOnly={readOnly}
          onChange={(next) => set({ ...draft, [part]: typeof next === 'number' ? next : '' })}
          w={130}
        />
      ))}
  </>
)
