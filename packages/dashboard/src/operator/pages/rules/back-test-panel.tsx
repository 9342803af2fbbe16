import type { SignalRule } from '@inkling/contract/account'
import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { BackTestState, whileRunning } from '../../parts/back-test-state.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { countedText, countText, Time } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { BackTestOutcome } from './back-test-outcome.tsx'
import { type Draft, sameWeights } from './draft.ts'

const DAYS = ['1', '7', '30', '90']
/** As the API takes them. */
const VISITS_MAX = 100_000

interface BackTestPanelProps {
  domain: string
  draft: Draft
  signals: readonly SignalRule[]
  mayChange: boolean
}

/** Scores stored visits with the draft before it is saved. */
export function BackTestPanel({ domain, draft, signals, mayChange }: BackTestPanelProps) {
  const params = { domain }
  const { data } = useApiQuery('getBackTest', { params }, { refetchInterval: whileRunning })
  const cancel = useApiMutation('cancelBackTest', ['getBackTest'])
  const test = data?.back_test
  return (
    <Section
      title="Back-test"
      about="Scores stored visits again with the weights above and compares the results. It changes nothing and runs in the background."
    >
      {mayChange && test?.state !== 'running' && <Start domain={domain} draft={draft} />}
      <BackTestState
        test={test}
        mayChange={mayChange}
        cancel={{ isPending: cancel.isPending, run: () => cancel.mutateAsync({ params }) }}
      />
      {test?.report && (
        <Stack gap="sm">
          <Text size="sm">
            Visits of {test.days === 1 ? 'the last day' : `the last ${test.days} days`}, started at{' '}
            <Time at={test.started_at} />.
            {!sameWeights(test.weights, draft.weights) && ' The weights above have changed since.'}
          </Text>
          <BackTestOutcome report={test.report} domain={domain} signals={signals} />
        </Stack>
      )}
    </Section>
  )
}

function Start({ domain, draft: { weights } }: { domain: string; draft: Draft }) {
  const start = useApiMutation('startBackTest', ['getBackTest'])
  const [days, setDays] = useState('7')
  const [visits, setVisits] = useState<number | string>(10_000)
  const isReady = weights !== undefined && typeof visits === 'number' && visits >= 1 && visits <= VISITS_MAX
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Look back"
        data={DAYS.map((value) => ({ value, label: countedText(Number(value), 'day') }))}
        value={days}
        allowDeselect={false}
        onChange={(chosen) => setDays(chosen ?? days)}
        w={120}
      />
      <NumberInput
        label={`Visits, at most ${countText(VISITS_MAX)}`}
        value={visits}
        min={1}
        max={VISITS_MAX}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        error={
          typeof visits === 'number' && visits > VISITS_MAX ? `At most ${countText(VISITS_MAX)}` : undefined
        }
        onChange={setVisits}
        w={190}
      />
      <Button
        variant="default"
        disabled={!isReady}
        loading={start.isPending}
        onClick={() =>
          isReady &&
          void attempt('The back-test has started.', () =>
            start.mutateAsync({ params: { domain }, body: { weights, days: Number(days), visits } }),
          )
        }
      >
        Back-test these weights
      </Button>
    </Group>
  )
}
