import type { EntitySummary } from '@inkling/contract/account'
import { Button, SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { ScoreBadge } from '../../parts/band.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import { FindingsTable } from '../patterns/findings-table.tsx'
import { Bands } from './bands.tsx'
import { LinkGraph } from './link-graph.tsx'
import { LinkedValues } from './linked-values.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/signed-in/d/$domain/entity')

export function EntityPage() {
  const { domain } = route.useParams()
  const { type, value } = route.useSearch()
  const query = useAnswer('getEntity', { params: { domain }, query: { type, value } })
  return (
    <>
      <PageHead title={IDENTIFIER_LABELS[type]} about={<code>{value}</code>}>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/identifications" params={{ domain }} search={{ [type]: value }} />
          )}
        >
          All its identifications
        </Button>
      </PageHead>
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <Empty title="No identification has it">
          It may have been erased, or it belongs to another domain.
        </Empty>
      ) : (
        <Answered query={query}>{(summary) => <Summary summary={summary} domain={domain} />}</Answered>
      )}
    </>
  )
}

interface SummaryProps {
  summary: EntitySummary
  domain: string
}

const Summary = ({ summary, domain }: SummaryProps) => (
  <Stack gap="md">
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="In short">
        <Facts
          facts={[
            {
              name: 'Identifications',
              value: summary.complete ? summary.identifications : `the newest ${summary.identifications}`,
            },
            { name: 'First seen', value: <Time at={summary.first_seen_at} /> },
            { name: 'Last seen', value: <Time at={summary.last_seen_at} /> },
            { name: 'Average score', value: summary.average_score.toFixed(1) },
            { name: 'Highest score', value: <ScoreBadge score={summary.highest_score} /> },
          ]}
        />
      </Section>
      <Section title="Bands">
        <Bands bands={summary.bands} />
      </Section>
    </SimpleGrid>
    {summary.patterns.length > 0 && (
      <Section title="Patterns" about="What it is part of over many visits.">
        <FindingsTable domain={domain} findings={summary.patterns} />
      </Section>
    )}
    <Timeline days={summary.days} />
    <LinkGraph graph={summary.graph} domain={domain} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <LinkedValues linked={summary.linked} self={summary} />
    </SimpleGrid>
  </Stack>
)
