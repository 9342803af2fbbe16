import type { DomainRules } from '@inkling/contract/account'
import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer, useIsOwner } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { BackTestPanel } from './back-test-panel.tsx'
import { SaveWeights } from './save-weights.tsx'
import { SignalList } from './signal-list.tsx'
import { StandIns } from './stand-ins.tsx'
import { useDraft } from './use-draft.ts'
import { Versions } from './versions.tsx'
import { WarnBeforeLeaving } from './warn-before-leaving.tsx'

const route = getRouteApi('/signed-in/d/$domain/rules')

export function RulesPage() {
  const { domain } = route.useParams()
  const query = useAnswer('getRules', { params: { domain } })
  return (
    <>
      <PageHead
        title="Weights and rules"
        about={`How the facts about a visit of ${domain} become its score.`}
      />
      <Answered query={query}>
        {(rules) => <Rules key={`${domain} ${rules.active}`} domain={domain} rules={rules} />}
      </Answered>
    </>
  )
}

/** Made anew when other weights score visits, so that nothing of an earlier draft remains. */
function Rules({ domain, rules }: { domain: string; rules: DomainRules }) {
  const isOwner = useIsOwner()
  const draft = useDraft(rules)
  return (
    <Stack>
      <Section
        title="Weights"
        about={
          rules.active === null
            ? 'Visits are scored with the weights of the release. A signal with weight 0 adds nothing and stays in the explanation.'
            : `Visits are scored with version ${rules.active}. A signal with weight 0 adds nothing and stays in the explanation.`
        }
      >
        <SignalList signals={rules.signals} draft={draft} isOwner={isOwner} />
        {isOwner && <SaveWeights domain={domain} draft={draft} />}
      </Section>
      <BackTestPanel domain={domain} draft={draft} signals={rules.signals} isOwner={isOwner} />
      <Versions domain={domain} rules={rules} draft={draft} isOwner={isOwner} />
      <StandIns rules={rules} />
      <WarnBeforeLeaving isChanged={draft.isChanged} />
    </Stack>
  )
}
