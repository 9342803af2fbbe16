import '@mantine/charts/styles.css'
import { BAND_NAMES } from '@inkling/contract'
import type { EntityDay, EntitySummary } from '@inkling/contract/account'
import { BarChart } from '@mantine/charts'
import { Button, Group, Progress, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { BAND_COLORS, BAND_LABELS, ScoreBadge } from '../../parts/badges.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { Facts, PageHead, Section } from '../../parts/layout.tsx'
import { FindingsTable } from '../patterns/findings-table.tsx'
import { LinkGraph } from './link-graph.tsx'
import { LinkedValues } from './linked-values.tsx'

const route = getRouteApi('/signed-in/d/$domain/entity')

export function EntityPage() {
  const { domain } = route.useParams()
  const { type, value } = route.useSearch()
  const query = useApiQuery('getEntity', { params: { domain }, query: { type, value } })
  return (
    <>
      <PageHead title={IDENTIFIER_LABELS[type]} about={<code>{value}</code>}>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/identifications" params={{ domain }} search={{ [type]: value }} />
          )}
        >
          All identifications
        </Button>
      </PageHead>
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <Empty title="No identifications">They may have been erased, or they belong to another domain.</Empty>
      ) : (
        <Loaded query={query}>{(summary) => <Summary summary={summary} domain={domain} />}</Loaded>
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
      <Section title="Summary">
        <Facts
          facts={[
            {
              name: 'Identifications',
              value: summary.complete ? summary.identifications : `the latest ${summary.identifications}`,
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
      <Section title="Patterns" about="Abuse over several visits that this is part of.">
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

function Bands({ bands }: { bands: EntitySummary['bands'] }) {
  const all = Object.values(bands).reduce((sum, count) => sum + count, 0)
  return (
    <Stack gap="xs">
      {BAND_NAMES.map((band) => (
        <div key={band}>
          <Group justify="space-between">
            <Text size="sm">{BAND_LABELS[band]}</Text>
            <Text size="sm" className="mono">
              {bands[band]}
            </Text>
          </Group>
          <Progress
            value={all === 0 ? 0 : (bands[band] / all) * 100}
            color={BAND_COLORS[band]}
            aria-label={`${BAND_LABELS[band]}: ${bands[band]} of ${all}`}
          />
        </div>
      ))}
    </Stack>
  )
}

const Timeline = ({ days }: { days: readonly EntityDay[] }) => (
  <Section title="Activity" about="Days with identifications, in UTC.">
    <div aria-hidden="true">
      <BarChart
        h={200}
        data={[...days]}
        dataKey="day"
        series={[
          { name: 'identifications', label: 'Identifications', color: 'indigo.6' },
          { name: 'highest_score', label: 'Highest score', color: 'red.6', yAxisId: 'right' },
        ]}
        withRightYAxis
        withLegend
        maxBarWidth={32}
        // Screen readers get the list below instead.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
    <VisuallyHidden>
      <ul>
        {days.map(({ day, identifications, highest_score }) => (
          <li key={day}>
            {day}: {identifications} identifications, highest score {highest_score}
          </li>
        ))}
      </ul>
    </VisuallyHidden>
  </Section>
)
