import type { Proposal } from '@inkling/contract/account'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useRights } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Facts, PageHead } from '../../parts/layout.tsx'
import { PROPOSAL_WORDS, proposedFields } from './proposed-fields.ts'

const route = getRouteApi('/signed-in/d/$domain/proposals')
const REFRESH_MS = 15_000
/** What a confirmed proposal may change. */
const OUTDATED = [
  'listProposals',
  'listEntries',
  'listLabels',
  'listCases',
  'countCases',
  'getCase',
  'listDecisionRules',
] as const

/** What assistants want to change, for a person to confirm or decline. */
export function ProposalsPage() {
  const { domain } = route.useParams()
  const query = useApiQuery('listProposals', { params: { domain } }, { refetchInterval: REFRESH_MS })
  return (
    <>
      <PageHead about="What assistants want to change. Nothing happens until you confirm it; after a day a proposal is gone." />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing is proposed">
              An assistant that you connect under My account, and allow to propose changes, puts them here.
            </Empty>
          ) : (
            <Stack>
              {data.map((proposal) => (
                <Proposed key={proposal.id} domain={domain} proposal={proposal} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </>
  )
}

function Proposed({ domain, proposal }: { domain: string; proposal: Proposal }) {
  const rights = useRights(domain)
  const confirm = useApiMutation('confirmProposal', OUTDATED)
  const decline = useApiMutation('declineProposal', ['listProposals'])
  const title = PROPOSAL_WORDS[proposal.operation]
  const params = { domain, proposal_id: proposal.id }
  const isBusy = confirm.isPending || decline.isPending
  const mayDecide = rights.has('cases:write')
  const mayConfirm = mayDecide && proposal.needs.every((right) => rights.has(right))
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" className="dim">
            Proposed by “{proposal.assistant}” for {proposal.user}, <Time at={proposal.created_at} />. Until{' '}
            <Time at={proposal.expires_at} />.
          </Text>
        </div>
        <Facts
          facts={proposedFields(proposal).map(([name, value]) => ({
            name,
            value: (
              <Text
                span
                size="sm"
                ff="monospace"
                style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
              >
                {value === '' ? '(empty)' : value}
              </Text>
            ),
          }))}
        />
        <div>
          <Text size="sm" fw={600}>
            Why, in the words of the assistant
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {proposal.why}
          </Text>
        </div>
        <Group gap="xs">
          {mayConfirm && (
            <Button
              size="xs"
              loading={confirm.isPending}
              disabled={isBusy}
              onClick={() => void attempt('Done.', () => confirm.mutateAsync({ params }))}
            >
              Confirm
            </Button>
          )}
          {mayDecide && (
            <Button
              size="xs"
              variant="default"
              loading={decline.isPending}
              disabled={isBusy}
              onClick={() =>
                void attempt('The proposal was declined.', () => decline.mutateAsync({ params }))
              }
            >
              Decline
            </Button>
          )}
          {!mayConfirm && (
            <Text size="sm" className="dim">
              Your role cannot confirm this.
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
