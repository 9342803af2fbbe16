import {
  DECISION_PURPOSES,
  type DecisionPurpose,
  type DecisionRuleText,
  LABEL_REACHES,
  type LabelReach,
} from '@inkling/contract'
import { Button, Group, MultiSelect, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { countedText, countText } from '../../parts/format.tsx'
import { REACH_WORDS } from '../../parts/list-words.ts'
import { PURPOSE_LABELS } from './purposes.ts'

const DAYS = ['1', '7', '30', '90']
/** As the API takes them. */
const VISITS_MAX = 200_000
const CATCHES = ['review', 'challenge', 'deny'] as const

export type RuleToTest = Omit<DecisionRuleText, 'state'> & { id?: number }

interface StartBackTestProps {
  domain: string
  /** As the panel has it. */
  rule: RuleToTest | null | undefined
  /** Asked for at first. */
  purpose: DecisionPurpose
}

/** What to test on, and how to compare with labels. */
export function StartBackTest({ domain, rule, purpose: first }: StartBackTestProps) {
  const start = useApiMutation('startDecisionBackTest', ['getDecisionBackTest'])
  const [chosen, setChosen] = useState<DecisionPurpose>()
  const purpose = chosen ?? first
  const [source, setSource] = useState<'visits' | 'decisions'>('visits')
  const [days, setDays] = useState('7')
  const [visits, setVisits] = useState<number | string>(10_000)
  const [reach, setReach] = useState<LabelReach[]>(['direct'])
  const [caughtFrom, setCaughtFrom] = useState<(typeof CATCHES)[number]>('review')
  const isCount = typeof visits === 'number' && visits >= 1 && visits <= VISITS_MAX
  const isReady = isCount && reach.length > 0 && rule !== null

  const submit = () =>
    attempt('The back-test has started.', () =>
      start.mutateAsync({
        params: { domain },
        body: {
          ...{ purpose, source, days: Number(days), visits: Number(visits) },
          ...{ label_reach: reach, caught_from: caughtFrom },
          ...(rule && { rules: [{ ...rule, state: 'on' }] }),
        },
      }),
    )

  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Ask for"
        data={DECISION_PURPOSES.map((value) => ({ value, label: PURPOSE_LABELS[value] }))}
        value={purpose}
        allowDeselect={false}
        onChange={(next) => setChosen((next as DecisionPurpose | null) ?? purpose)}
        w={130}
      />
      <Select
        label="About"
        data={[
          { value: 'visits', label: 'stored visits' },
          { value: 'decisions', label: 'what was asked' },
        ]}
        value={source}
        allowDeselect={false}
        onChange={(next) => setSource(next === 'decisions' ? next : 'visits')}
        w={150}
      />
      <Select
        label="Look back"
        data={DAYS.map((value) => ({ value, label: countedText(Number(value), 'day') }))}
        value={days}
        allowDeselect={false}
        onChange={(next) => setDays(next ?? days)}
        w={110}
      />
      <NumberInput
        label="At most"
        value={visits}
        min={1}
        max={VISITS_MAX}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        error={isCount ? undefined : `1 to ${countText(VISITS_MAX)}`}
        onChange={setVisits}
        w={120}
      />
      <MultiSelect
        label="Labels that count"
        data={LABEL_REACHES.map((value) => ({ value, label: REACH_WORDS[value] }))}
        value={reach}
        error={reach.length === 0 ? 'At least one' : undefined}
        onChange={(next) => setReach(next as LabelReach[])}
        flex="1 1 220px"
      />
      <Select
        label="Caught from"
        data={CATCHES.map((value) => ({ value, label: ACTION_LABELS[value] }))}
        value={caughtFrom}
        allowDeselect={false}
        onChange={(next) => setCaughtFrom(CATCHES.find((known) => known === next) ?? caughtFrom)}
        w={130}
      />
      <Button variant="default" disabled={!isReady} loading={start.isPending} onClick={() => void submit()}>
        {rule === undefined ? 'Back-test the rules' : 'Back-test this rule'}
      </Button>
    </Group>
  )
}
