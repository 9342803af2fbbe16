import type { Band, DecisionRuleState } from '@inkling/contract'
import { DECISION_RULE_STATES } from '@inkling/contract'
import type { SavedDecisionRule } from '@inkling/contract/account'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'

export const STATE_LABELS: Record<DecisionRuleState, string> = { off: 'Off', shadow: 'Shadow', on: 'On' }

const TONES: Record<DecisionRuleState, Band> = { off: 'rate_limited', shadow: 'suspicious', on: 'trusted' }

export const StateBadge = ({ state }: { state: DecisionRuleState }) => (
  <StatusBadge tone={TONES[state]}>{STATE_LABELS[state]}</StatusBadge>
)

interface RuleStateProps {
  domain: string
  rule: Pick<SavedDecisionRule, 'id' | 'name' | 'state'>
}

/** Changes the state of a rule. What changes answers to the backend asks first; shadow changes none. */
export function RuleState({ domain, rule: { id, name, state } }: RuleStateProps) {
  const mayChange = useMay('rules:write')
  const change = useApiMutation('changeDecisionRule', ['listDecisionRules', 'listDecisionRuleVersions'])
  const [asked, setAsked] = useState<DecisionRuleState>()
  if (!mayChange) return <StateBadge state={state} />
  const set = (next: DecisionRuleState) =>
    attempt(`“${name}” is ${next === 'shadow' ? 'in shadow' : next}.`, () =>
      change.mutateAsync({ params: { domain, rule_id: id }, body: { state: next } }),
    )
  return (
    <>
      <SegmentedControl
        aria-label={`State of ${name}`}
        size="xs"
        data={DECISION_RULE_STATES.map((value) => ({ value, label: STATE_LABELS[value] }))}
        value={state}
        disabled={change.isPending}
        onChange={(chosen) => {
          const next = chosen as DecisionRuleState
          if (next === 'on' || state === 'on') setAsked(next)
          else void set(next)
        }}
      />
      <ConfirmDialog
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title={asked === 'on' ? `Turn “${name}” on?` : `Let “${name}” decide no longer?`}
        action={asked === 'on' ? 'Turn on' : asked === 'shadow' ? 'Move to shadow' : 'Turn off'}
        confirm={() => (asked ? set(asked) : Promise.resolve())}
      >
        {asked === 'on'
          ? 'It decides about visitors within a second. Have you looked at its hits in shadow, and tested it?'
          : 'Your backend gets answers without it within a second.'}
      </ConfirmDialog>
    </>
  )
}
