import { type Case, ENTITY_TYPES, type EntitySummary } from '@inkling/contract/account'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { HighestScore } from '../../parts/badges.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { LabelsSection } from '../../parts/labels-section.tsx'
import { Facts, Section } from '../../parts/layout.tsx'
import { IDENTIFIER_OF_KIND } from '../../parts/list-words.ts'
import { VelocityTable } from '../../parts/velocity-table.tsx'
import { FirstSeen, linkedCount, readVisits } from '../entity/entity-counts.tsx'
import { EntityLists } from '../entity/entity-lists.tsx'
import { FindingsTable } from '../patterns/findings-table.tsx'

interface SubjectProps {
  domain: string
  subject: Case['subject']
}

/** What is known now of what the case is about. Cookies, networks and patterns have their own pages alone. */
export function Subject({ domain, subject: { type, value } }: SubjectProps) {
  const identifier = type === 'finding' ? undefined : IDENTIFIER_OF_KIND[type]
  const entity = ENTITY_TYPES.find((known) => known === identifier)
  return entity ? <Entity domain={domain} type={entity} value={value} /> : null
}

type EntityProps = Pick<EntitySummary, 'type' | 'value'> & { domain: string }

function Entity({ domain, type, value }: EntityProps) {
  const query = useApiQuery('getEntity', { params: { domain }, query: { type, value } })
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Section title="Known of it">
        <Text size="sm">No visit with it is stored.</Text>
      </Section>
    )
  return <Loaded query={query}>{(summary) => <Known domain={domain} summary={summary} />}</Loaded>
}

const Known = ({ domain, summary }: { domain: string; summary: EntitySummary }) => (
  <Stack gap="md">
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Known of it">
        <Facts
          facts={[
            { name: 'Identifications', value: readVisits(summary) },
            { name: 'First seen', value: <FirstSeen {...summary} /> },
            { name: 'Last seen', value: <Time at={summary.last_seen_at} /> },
            { name: 'Highest score', value: <HighestScore score={summary.highest_score} /> },
            { name: 'Devices', value: linkedCount(summary.linked.device_id) },
            { name: 'Accounts', value: linkedCount(summary.linked.user_hid) },
          ]}
        />
      </Section>
      {summary.velocity && (
        <Section title="Velocity">
          <VelocityTable label="Counts of now" counts={summary.velocity} />
        </Section>
      )}
    </SimpleGrid>
    {summary.patterns.length > 0 && (
      <Section title="Patterns">
        <FindingsTable domain={domain} findings={summary.patterns} />
      </Section>
    )}
    <LabelsSection domain={domain} labels={summary.labels} subjects={[]} />
    <EntityLists domain={domain} type={summary.type} value={summary.value} />
  </Stack>
)
