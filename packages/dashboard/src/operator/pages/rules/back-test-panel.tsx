import type { BackTest, SignalRule } from '@inkling/contract/account'
import { Alert, Button, Group, NumberInput, Progress, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAnswer, useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import { BackTestOutcome } from './back-test-outcome.tsx'
import { sameWeights } from './same-weights.ts'
import type { Draft } from './use-draft.ts'

/** How often the progress is looked at. */
const LOOK_MS = 1_000
const DAYS = ['1', '7', '30', '90']

interface BackTestPanelProps {
  domain: string
  draft: Draft
  signals: readonly SignalRule[]
  isOwner: boolean
}

/** Tries the draft on stored visits, before it is saved. */
export function BackTestPanel({ domain, draft, signals, isOwner }: BackTestPanelProps) {
  const params = { domain }
  const { data } = useAnswer('getBackTest', { params }, { refetchInterval: LOOK_MS })
  const test = data?.back_test
  return (
    <Section
      title="Back-test"
      about="Scores stored visits with the weights in the table above and tells what would be other than it was. It changes nothing, and runs beside the work of the server."
    >
      {isOwner && test?.state !== 'running' && <Start domain={domain} draft={draft} />}
      {test?.state === 'running' && <Running domain={domain} test={test} isOwner={isOwner} />}
      {test?.state === 'cancelled' && <Text size="sm">The latest back-test was cancelled.</Text>}
      {test?.state === 'failed' && (
        <Alert color="red" title="The latest back-test failed">
          The server’s log says why.
        </Alert>
      )}
      {test?.report && (
        <Stack gap="sm">
          <Text size="sm">
            Of {test.days === 1 ? 'the last day' : `the last ${test.days} days`}, started{' '}
            <Time at={test.started_at} />.
            {!sameWeights(test.weights, draft.weights) && ' The weights in the table are others by now.'}
          </Text>
          <BackTestOutcome report={test.report} domain={domain} signals={signals} />
        </Stack>
      )}
      {test === null && !isOwner && <Text size="sm">No back-test was run since the server started.</Text>}
    </Section>
  )
}

function Start({ domain, draft: { weights } }: { domain: string; draft: Draft }) {
  const start = useChange('startBackTest', ['getBackTest'])
  const [days, setDays] = useState('7')
  const [visits, setVisits] = useState<number | string>(10_000)
  const isReady = weights !== undefined && typeof visits === 'number' && visits >= 1
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Look back"
        data={DAYS.map((value) => ({ value, label: value === '1' ? '1 day' : `${value} days` }))}
        value={days}
        allowDeselect={false}
        onChange={(chosen) => setDays(chosen ?? days)}
        w={120}
      />
      <NumberInput
        label="Visits at the most"
        value={visits}
        min={1}
        max={100_000}
        clampBehavior="strict"
        allowDecimal={false}
        thousandSeparator=" "
        onChange={setVisits}
        w={160}
      />
      <Button
        variant="default"
        disabled={!isReady}
        loading={start.isPending}
        onClick={() =>
          isReady &&
          void attempt('The back-test is running.', () =>
            start.mutateAsync({ params: { domain }, body: { weights, days: Number(days), visits } }),
          )
        }
      >
        Try these weights
      </Button>
    </Group>
  )
}

function Running({ domain, test, isOwner }: { domain: string; test: BackTest; isOwner: boolean }) {
  const cancel = useChange('cancelBackTest', ['getBackTest'])
  const { done, total } = test
  return (
    <Group gap="sm">
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        flex="1 1 200px"
        aria-label="Progress of the back-test"
      />
      <Text size="sm" role="status">
        {done.toLocaleString()} of {total.toLocaleString()} visits
      </Text>
      {isOwner && (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() =>
            void attempt('The back-test was cancelled.', () => cancel.mutateAsync({ params: { domain } }))
          }
        >
          Cancel
        </Button>
      )}
    </Group>
  )
}
