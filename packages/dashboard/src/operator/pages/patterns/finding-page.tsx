import { type HistoryRow, PATTERN_CATALOGUE } from '@inkling/contract'
import { CASE_SUBJECTS, FINDING_ROWS_MAX, type PatternFindingDetail } from '@inkling/contract/account'
import { Button, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { ScoreBadge } from '../../parts/badges.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { countedText, Time, words } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import { Facts, PageHead, ScrollTable, Section } from '../../parts/layout.tsx'
import { KIND_OF_IDENTIFIER } from '../../parts/list-words.ts'
import { type CaseAbout, OpenCase } from '../../parts/open-case.tsx'
import { FindingValues } from './finding-values.tsx'
import { EntityLink, GradeBadge } from './findings-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/patterns/$findingId')

export function FindingPage() {
  const { domain, findingId } = route.useParams()
  const isNumber = /^[1-9]\d{0,14}$/.test(findingId)
  const params = { domain, finding_id: Number(findingId) }
  const query = useApiQuery('getPattern', { params }, { enabled: isNumber })
  if (!isNumber)
    return (
      <>
        <PageHead />
        <Empty title="Pattern not found">
          The address ends with “{findingId}”, but each pattern that was found has a number.
        </Empty>
      </>
    )
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <>
        <PageHead />
        <Empty title="Pattern not found">Its identifications may have been erased.</Empty>
      </>
    )
  return <Loaded query={query}>{(detail) => <Finding domain={domain} detail={detail} />}</Loaded>
}

function Finding({ domain, detail }: { domain: string; detail: PatternFindingDetail }) {
  const { title, meaning, innocent } = PATTERN_CATALOGUE[detail.finding.pattern]
  return (
    <>
      <PageHead title={title} about={meaning}>
        <OpenCase domain={domain} subjects={subjectsOf(detail)} evidence={{ finding: detail.finding.id }} />
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/d/$domain/identifications"
              params={{ domain }}
              search={{ finding: String(detail.finding.id) }}
            />
          )}
        >
          All identifications of this pattern
        </Button>
      </PageHead>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Summary detail={detail} />
          <Section title="Innocent explanations">
            <Text size="sm">{innocent}</Text>
          </Section>
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <FindingValues domain={domain} detail={detail} />
        </SimpleGrid>
        <FindingRows rows={detail.rows} />
      </Stack>
    </>
  )
}

/** The entity first: unlike the pattern, it can be labelled and put on a list by the decision. */
function subjectsOf({ finding: { id, entity_type, entity_value } }: PatternFindingDetail): CaseAbout[] {
  const kind = KIND_OF_IDENTIFIER[entity_type]
  const subject = CASE_SUBJECTS.find((known) => known === kind)
  return [
    ...(subject ? [{ type: subject, value: entity_value }] : []),
    { type: 'finding', value: String(id) },
  ]
}

const DAY_SECONDS = 86_400

function Summary({ detail: { finding, window_seconds } }: { detail: PatternFindingDetail }) {
  const days = window_seconds / DAY_SECONDS
  return (
    <Section title="Summary">
      <Facts
        facts={[
          { name: 'Grade', value: <GradeBadge finding={finding} /> },
          { name: IDENTIFIER_LABELS[finding.entity_type], value: <EntityLink finding={finding} /> },
          { name: 'Count', value: `${finding.count} ${PATTERN_CATALOGUE[finding.pattern].counts}` },
          {
            name: 'Thresholds',
            value: `suspicious from ${finding.suspicious_from}, dangerous from ${finding.dangerous_from}`,
          },
          { name: 'Average score', value: finding.average_score.toFixed(1) },
          { name: 'Window', value: countedText(days, 'day') },
          { name: 'First seen', value: <Time at={finding.first_at} /> },
          { name: 'Last seen', value: <Time at={finding.last_at} /> },
          { name: 'Last checked', value: <Time at={finding.judged_at} /> },
          ...(finding.resolved_at === null
            ? []
            : [{ name: 'Resolved', value: <Time at={finding.resolved_at} /> }]),
        ]}
      />
    </Section>
  )
}

/** The identifications behind a finding. */
const FindingRows = ({ rows }: { rows: readonly HistoryRow[] }) => (
  <Section
    title={`Identifications (${rows.length < FINDING_ROWS_MAX ? rows.length : `the latest ${rows.length}`})`}
  >
    <ScrollTable
      label="Identifications"
      head={['Time', 'Request ID', 'Score', 'Account', 'Device', 'IP address', 'Country', 'Connection']}
      miw={820}
    >
      {rows.map((row) => (
        <Table.Tr key={row.request_id}>
          <Table.Td>
            <Time at={row.created_at} />
          </Table.Td>
          <Table.Td>
            <Identifier type="request_id" value={row.request_id} short />
          </Table.Td>
          <Table.Td>
            <ScoreBadge score={row.score} />
          </Table.Td>
          <Table.Td>
            <Identifier type="user_hid" value={row.user_hid} />
          </Table.Td>
          <Table.Td>
            <Identifier type="device_id" value={row.device_id} short />
          </Table.Td>
          <Table.Td>
            <Identifier type="ip" value={row.ip} />
          </Table.Td>
          <Table.Td>{row.country === '' ? 'unknown' : row.country}</Table.Td>
          <Table.Td>{words(row.connection_type)}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  </Section>
)
