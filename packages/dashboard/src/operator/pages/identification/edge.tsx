import type { Explanation } from '@inkling/contract'
import { SimpleGrid } from '@mantine/core'
import { Time, words } from '../../parts/format.tsx'
import { Facts, Section } from '../../parts/layout.tsx'
import { Observations } from './network.tsx'

const REFUSALS: Record<string, string> = {
  unreadable: 'The key was not made by this installation.',
  foreign: 'The key is for another domain.',
  expired: 'The page was asked for more than ten minutes earlier.',
  other_client: 'Another client had asked for the page.',
  replayed: 'Another visitor used the key first, as from a cached page.',
}

/** What the edge saw of the request for the page. */
export const Edge = ({ edge }: { edge: Explanation['edge'] }) =>
  edge && (
    <Section
      title="Request for the page"
      about={
        edge.reason === undefined
          ? 'What your edge saw before the page ran.'
          : `Not joined. ${REFUSALS[edge.reason] ?? words(edge.reason)}`
      }
    >
      {edge.reason === undefined && (
        <Facts
          facts={[
            { name: 'Assessment', value: <code>{edge.assessment_id}</code> },
            ...(edge.assessed_at === undefined
              ? []
              : [{ name: 'Assessed', value: <Time at={edge.assessed_at} /> }]),
            {
              name: 'Address',
              value: edge.same_address ? 'the same' : 'another one, so this counts for nothing',
            },
            { name: 'Score', value: String(edge.score) },
            {
              name: 'Rule for agents',
              value: edge.action ? `${words(edge.action)} (rule ${edge.rule})` : 'none applied',
            },
            {
              name: 'Agent',
              value: edge.agent ? `${edge.agent.name}, ${words(edge.agent.identity)}` : 'none',
            },
          ]}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="sm">
        <Observations network={edge.network} />
      </SimpleGrid>
    </Section>
  )
