import { type HistoryRow, PATTERN_CATALOGUE } from '@inkling/contract'
import type { PatternFindingDetail } from '@inkling/contract/account'
import { Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { ScoreBadge } from '../../parts/badges.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { countedText, Time, words } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import { Facts, PageHead, ScrollTable, Section } from '../../parts/layout.tsx'
import { OpenCase } from '../../parts/open-case.tsx'
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
        <OpenCase
          domain={domain}
          subjects={[{ type: 'finding', value: String(detail.finding.id) }]}
          evidence={{ finding: detail.finding.id }}
        />
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
          <FindingValues values={detail.values} />
        </SimpleGrid>
        <FindingRows rows={detail.rows} />
      </Stack>
    </>
  )
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

type Values = PatternFindingDetail['values']
type Kind = keyof Values

const TITLES: Record<Kind, string> = {
  user_hid: 'Accounts',
  device_id: 'Devices',
  visitor_id: 'Visitors',
  cookie_id: 'Cookies',
  ip: 'IP addresses',
  country: 'Countries',
}
/** The rest is shown on request. */
const SHOWN_FIRST = 20

/** The values that the identifications share, and those that differ. */
const FindingValues = ({ values }: { values: Values }) =>
  (Object.keys(TITLES) as Kind[]).map((kind) => <KindOfValue key={kind} kind={kind} values={values[kind]} />)

function KindOfValue({ kind, values }: { kind: Kind; values: Values[Kind] }) {
  const [all, setAll] = useState(false)
  return (
    <Section title={`${TITLES[kind]} (${values.length})`}>
      {values.length === 0 ? (
        <Text size="sm" className="dim">
          none
        </Text>
      ) : (
        <ValueTable kind={kind} values={values.slice(0, all ? undefined : SHOWN_FIRST)} />
      )}
      {values.length > SHOWN_FIRST && !all && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setAll(true)}>
            Show all {values.length}
          </Button>
        </Group>
      )}
    </Section>
  )
}

const ValueTable = ({ kind, values }: { kind: Kind; values: Values[Kind] }) => (
  <Table verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Value</Table.Th>
        <Table.Th ta="right">Visits</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {values.map(({ value, identifications }) => (
        <Table.Tr key={value}>
          <Table.Td>{kind === 'country' ? value : <Identifier type={kind} value={value} short />}</Table.Td>
          <Table.Td ta="right">{identifications}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

/** The identifications behind a finding. */
const FindingRows = ({ rows }: { rows: readonly HistoryRow[] }) => (
  <Section title={`Identifications (${rows.length})`}>
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
