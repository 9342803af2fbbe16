import { BAND_NAMES, namesAccount } from '@inkling/contract'
import type { EntitySummary } from '@inkling/contract/account'
import { Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { BAND_COLORS, HighestScore } from '../../parts/badges.tsx'
import { Empty, Loaded, Loading } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier, type IdentifierType } from '../../parts/identifier.tsx'
import { LabelsSection } from '../../parts/labels-section.tsx'
import { LaterFrame } from '../../parts/later-frame.tsx'
import { Facts, PageHead, Section } from '../../parts/layout.tsx'
import { KIND_OF_IDENTIFIER } from '../../parts/list-words.ts'
import { OpenCase } from '../../parts/open-case.tsx'
import { BAND_LABELS, NOT_SCORED } from '../../parts/score-words.ts'
import { VelocityTable } from '../../parts/velocity-table.tsx'
import { identifierProblem } from '../identifications/table-search.ts'
import { FindingsTable } from '../patterns/findings-table.tsx'
import { Activity } from './activity.tsx'
import { DeviceChanges } from './device-changes.tsx'
import { FirstSeen, readVisits } from './entity-counts.tsx'
import { EntityLists } from './entity-lists.tsx'
import { LinkGraph } from './link-graph.tsx'
import { LinkedValues } from './linked-values.tsx'

const route = getRouteApi('/signed-in/d/$domain/entity')

export function EntityPage() {
  const { domain } = route.useParams()
  const { type, value } = route.useSearch()
  const problem = entityProblem({ type, value })
  const about = <code>{value}</code>
  if (problem !== undefined)
    return (
      <>
        <PageHead title={IDENTIFIER_LABELS[type]} about={about} />
        <Empty title="Nothing to look up">{problem}</Empty>
      </>
    )
  return (
    <>
      <PageHead title={IDENTIFIER_LABELS[type]} about={about}>
        <OpenCase domain={domain} subjects={[{ type: KIND_OF_IDENTIFIER[type], value }]} />
        {type === 'device_id' && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/d/$domain/compare" params={{ domain }} search={{ a: value, b: '' }} />
            )}
          >
            Compare
          </Button>
        )}
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/identifications" params={{ domain }} search={{ [type]: value }} />
          )}
        >
          All identifications
        </Button>
      </PageHead>
      <Entity key={`${type} ${value}`} domain={domain} type={type} value={value} />
    </>
  )
}

type EntityProps = Pick<EntitySummary, 'type' | 'value'> & { domain: string }

function Entity({ domain, type, value }: EntityProps) {
  const query = useApiQuery('getEntity', { params: { domain }, query: { type, value } })
  // A page with a large graph takes longer than a frame; deferred, React draws it in slices.
  const summary = useDeferredValue(query.data, undefined)
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Empty title="No identifications">They may have been erased, or they belong to another domain.</Empty>
    )
  return (
    <Loaded query={query}>
      {() => (summary ? <Summary summary={summary} domain={domain} /> : <Loading />)}
    </Loaded>
  )
}

/** What is wrong with the entity in the address; undefined when it can be looked up. */
function entityProblem({ type, value }: { type: IdentifierType; value: string }): string | undefined {
  if (value === '') return 'The address names nothing: it has to end with a type and a value.'
  if (type === 'user_hid' && !namesAccount(value))
    return `“${value}” stands for visitors without an account, so it is no account of its own.`
  return identifierProblem({ type, value })
}

interface SummaryProps {
  summary: EntitySummary
  domain: string
}

/** About that of the section with its table closed. */
const ACTIVITY_HEIGHT = 370

const Summary = ({ summary, domain }: SummaryProps) => (
  <Stack gap="md">
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Summary">
        <Facts
          facts={[
            { name: 'Identifications', value: readVisits(summary) },
            ...(summary.aliases.length === 0
              ? []
              : [
                  {
                    name: 'Also known as',
                    value: (
                      <Stack gap={2}>
                        {summary.aliases.map((alias) => (
                          <Identifier key={alias} type="device_id" value={alias} copy />
                        ))}
                      </Stack>
                    ),
                  },
                ]),
            { name: 'First seen', value: <FirstSeen {...summary} /> },
            { name: 'Last seen', value: <Time at={summary.last_seen_at} /> },
            { name: 'Average score', value: summary.average_score?.toFixed(1) ?? NOT_SCORED },
            { name: 'Highest score', value: <HighestScore score={summary.highest_score} /> },
          ]}
        />
      </Section>
      <Section title="Bands">
        <Bands bands={summary.bands} />
      </Section>
    </SimpleGrid>
    {summary.patterns.length > 0 && (
      <Section title="Patterns" about="Found over several visits. They change no score.">
        <FindingsTable domain={domain} findings={summary.patterns} />
      </Section>
    )}
    {summary.part_of.length > 0 && (
      <Section
        title="Part of patterns"
        about="Found on something else that it was seen with: some of its visits are in the evidence."
      >
        <FindingsTable domain={domain} findings={summary.part_of} />
      </Section>
    )}
    {summary.velocity && (
      <Section title="Velocity" about="How often it is seen now, and with how many others.">
        <VelocityTable label="Counts of now" counts={summary.velocity} />
      </Section>
    )}
    <LaterFrame height={ACTIVITY_HEIGHT}>
      <Activity {...summary} />
    </LaterFrame>
    {summary.type === 'device_id' && <DeviceChanges domain={domain} deviceId={summary.value} />}
    <EntityLists domain={domain} type={summary.type} value={summary.value} />
    <LabelsSection
      domain={domain}
      labels={summary.labels}
      subjects={[{ type: KIND_OF_IDENTIFIER[summary.type], value: summary.value }]}
    />
    <LinkGraph graph={summary.graph} domain={domain} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <LinkedValues domain={domain} linked={summary.linked} self={summary} />
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
