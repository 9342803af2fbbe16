import { PATTERN_CATALOGUE } from '@inkling/contract'
import type { PatternFindingDetail } from '@inkling/contract/account'
import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import { ENTITY_LABELS, EntityLink, GradeBadge } from './finding-parts.tsx'
import { FindingRows } from './finding-rows.tsx'
import { FindingValues } from './finding-values.tsx'

const route = getRouteApi('/signed-in/d/$domain/patterns/$findingId')

export function FindingPage() {
  const { domain, findingId } = route.useParams()
  const query = useAnswer('getPattern', { params: { domain, finding_id: Number(findingId) } })
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <>
        <PageHead title="Pattern" />
        <Empty title="No such finding">Its identifications may have been erased.</Empty>
      </>
    )
  return <Answered query={query}>{(detail) => <Finding domain={domain} detail={detail} />}</Answered>
}

function Finding({ domain, detail }: { domain: string; detail: PatternFindingDetail }) {
  const { title, meaning, innocent } = PATTERN_CATALOGUE[detail.finding.pattern]
  return (
    <>
      <PageHead title={title} about={meaning}>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/d/$domain/identifications"
              params={{ domain }}
              search={{ pattern: detail.finding.pattern }}
            />
          )}
        >
          All identifications of this pattern
        </Button>
      </PageHead>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <InShort detail={detail} />
          <Section title="Who looks the same and did nothing">
            <Text size="sm">{innocent}</Text>
          </Section>
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <FindingValues values={detail.values} />
        </SimpleGrid>
        <FindingRows rows={detail.rows} />
      </Stack>
    </>
  )
}

const DAY_SECONDS = 86_400

function InShort({ detail: { finding, window_seconds } }: { detail: PatternFindingDetail }) {
  const days = window_seconds / DAY_SECONDS
  return (
    <Section title="In short">
      <Facts
        facts={[
          { name: 'Grade', value: <GradeBadge finding={finding} /> },
          { name: ENTITY_LABELS[finding.entity_type], value: <EntityLink finding={finding} /> },
          { name: 'Count', value: `${finding.count} ${PATTERN_CATALOGUE[finding.pattern].counts}` },
          {
            name: 'Thresholds',
            value: `suspicious from ${finding.suspicious_from}, dangerous from ${finding.dangerous_from}`,
          },
          { name: 'Average score', value: finding.average_score.toFixed(1) },
          { name: 'Window', value: days === 1 ? '1 day' : `${days} days` },
          { name: 'First seen', value: <Time at={finding.first_at} /> },
          { name: 'Last seen', value: <Time at={finding.last_at} /> },
          { name: 'Looked at', value: <Time at={finding.judged_at} /> },
          ...(finding.resolved_at === null
            ? []
            : [{ name: 'Resolved', value: <Time at={finding.resolved_at} /> }]),
        ]}
      />
    </Section>
  )
}
