import type { DomainRules } from '@inkling/contract/account'
import { List, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { Loaded } from '../../parts/feedback.tsx'
import { PageHead, Section } from '../../parts/layout.tsx'
import { WarnBeforeLeaving } from '../../parts/warn-before-leaving.tsx'
import { AgentRules } from './agent-rules.tsx'
import { BackTestPanel } from './back-test-panel.tsx'
import { useDraft } from './draft.ts'
import { Weights } from './weights.tsx'
import { WeightsHistory } from './weights-history.tsx'

const route = getRouteApi('/signed-in/d/$domain/rules')

export function RulesPage() {
  const { domain } = route.useParams()
  const query = useApiQuery('getRules', { params: { domain } })
  return (
    <>
      <PageHead about={`How signals add up to the score of a visit to ${domain}.`} />
      <Stack>
        <Loaded query={query}>
          {(rules) => <Rules key={`${domain} ${rules.active}`} domain={domain} rules={rules} />}
        </Loaded>
        <AgentRules domain={domain} />
      </Stack>
    </>
  )
}

/** Remounted when other weights come into use, which discards the draft. */
function Rules({ domain, rules }: { domain: string; rules: DomainRules }) {
  const mayChange = useMay('rules:write')
  const draft = useDraft(rules)
  return (
    <Stack>
      <Weights domain={domain} rules={rules} draft={draft} mayChange={mayChange} />
      <BackTestPanel domain={domain} draft={draft} signals={rules.signals} mayChange={mayChange} />
      <WeightsHistory domain={domain} rules={rules} draft={draft} mayChange={mayChange} />
      <Suppressions rules={rules} />
      <WarnBeforeLeaving isChanged={draft.isChanged} what="the weights" />
    </Stack>
  )
}

/** The rules by which one signal suppresses others. They come with the release and cannot be changed. */
function Suppressions({ rules: { signals, suppressions } }: { rules: DomainRules }) {
  const titleOf = (name: string): string => signals.find((signal) => signal.name === name)?.title ?? name
  return (
    <Section
      title="Overlapping signals"
      about="Signals with the same cause count once. The first rule whose bold signal was found applies: the other signals of that rule are not counted."
    >
      <List spacing="xs" size="sm">
        {suppressions.map(({ by, silences }) => (
          <List.Item key={by}>
            <Text span size="sm" fw={600}>
              {titleOf(by)}
            </Text>
            {': '}
            {silences.map(titleOf).join(', ')}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
