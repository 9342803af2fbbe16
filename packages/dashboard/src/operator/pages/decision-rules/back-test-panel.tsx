import type { DecisionPurpose } from '@inkling/contract'
import type { DecisionBackTest } from '@inkling/contract/account'
import { Stack, Text } from '@mantine/core'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { BackTestState, whileRunning } from '../../parts/back-test-state.tsx'
import { countedText, Time } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { DecisionBackTestOutcome } from './back-test-outcome.tsx'
import { type RuleToTest, StartBackTest } from './back-test-start.tsx'
import { sameText } from './draft-rule.ts'
import { PURPOSE_LABELS } from './purposes.ts'

interface BackTestPanelProps {
  domain: string
  about: string
  /** Tried beside the others; undefined for the rules as they are, null while it is not complete. */
  rule?: RuleToTest | null
  /** What the rule is for, to ask for that at first. */
  purposes: readonly DecisionPurpose[] | null
}

/** Decides stored visits again, and tells what would be different. */
export function DecisionBackTestPanel({ domain, about, rule, purposes }: BackTestPanelProps) {
  const mayChange = useMay('rules:write')
  const params = { domain }
  const { data } = useApiQuery('getDecisionBackTest', { params }, { refetchInterval: whileRunning })
  const cancel = useApiMutation('cancelDecisionBackTest', ['getDecisionBackTest'])
  const test = data?.back_test
  return (
    <Section title="Back-test" about={about}>
      {mayChange && test?.state !== 'running' && (
        <StartBackTest domain={domain} rule={rule} purpose={purposes?.[0] ?? 'signup'} />
      )}
      <BackTestState
        test={test}
        mayChange={mayChange}
        cancel={{ isPending: cancel.isPending, run: () => cancel.mutateAsync({ params }) }}
      />
      {test?.report && (
        <Stack gap="sm">
          <Text size="sm">
            {questionText(test)}, started at <Time at={test.started_at} />.
            {rule && !isOf(test, rule) && ' It was not of the rule as it is above.'}
          </Text>
          <DecisionBackTestOutcome report={test.report} domain={domain} />
        </Stack>
      )}
    </Section>
  )
}

const isOf = ({ question }: DecisionBackTest, rule: RuleToTest): boolean =>
  question.rules.some((tried) => sameText(tried, rule))

function questionText({ question: { rules, purpose, source, days } }: DecisionBackTest): string {
  const what = rules.length === 0 ? 'The rules' : rules.map(({ name }) => `“${name}”`).join(', ')
  const where = source === 'visits' ? 'visits' : 'decisions'
  const when = days === 1 ? 'the last day' : `the last ${countedText(days, 'day')}`
  return `${what}, asked for ${PURPOSE_LABELS[purpose].toLowerCase()}, on ${where} of ${when}`
}
