import { type Explanation, type HistoryRow, isUuid, signalTitle } from '@inkling/contract'
import type { Delivery, IdentificationDetail, PatternFinding, PendingEvent } from '@inkling/contract/account'
import { Grid, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { Names, ScoreBadge } from '../../parts/badges.tsx'
import { CodeBlock, CopyIcon, JsonTree } from '../../parts/code.tsx'
import { DeliveryList } from '../../parts/delivery-list.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { countedText, Time, words } from '../../parts/format.tsx'
import { LabelsSection } from '../../parts/labels-section.tsx'
import { Facts, PageHead, Section } from '../../parts/layout.tsx'
import { OpenCase } from '../../parts/open-case.tsx'
import { raisedFlags } from '../identifications/listed-row.ts'
import { FindingsTable } from '../patterns/findings-table.tsx'
import { Agent } from './agent.tsx'
import { Edge } from './edge.tsx'
import { Identifiers } from './identifiers.tsx'
import { Identity } from './identity.tsx'
import { Network } from './network.tsx'
import { Claims, Verdict } from './verdict.tsx'
import { Versions } from './versions.tsx'
import { VisitCourse } from './visit-course.tsx'
import { VisitDecisions } from './visit-decisions.tsx'
import { subjectsOfVisit, VisitLists } from './visit-lists.tsx'
import { VisitVelocity } from './visit-velocity.tsx'
import { Waterfall } from './waterfall.tsx'

const route = getRouteApi('/signed-in/d/$domain/identifications/$requestId')

export function IdentificationPage() {
  const { domain, requestId } = route.useParams()
  const params = { domain, request_id: requestId }
  const query = useApiQuery('getIdentification', { params }, { enabled: isUuid(requestId) })
  if (!isUuid(requestId))
    return (
      <NotFound>The address ends with “{requestId}”, but a request ID is a UUID of 36 characters.</NotFound>
    )
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotFound>It may have been erased, or it belongs to another domain.</NotFound>
  return <Loaded query={query}>{(detail) => <Detail domain={domain} detail={detail} />}</Loaded>
}

const NotFound = ({ children }: { children: ReactNode }) => (
  <>
    <PageHead />
    <Empty title="No such identification">{children}</Empty>
  </>
)

interface DetailProps {
  domain: string
  detail: IdentificationDetail
}

const Detail = ({ domain, detail: { row, explanation, ...detail } }: DetailProps) => (
  <Stack gap="md">
    <PageHead
      about={
        <>
          {row.domain}, <Time at={row.created_at} />
        </>
      }
    >
      <OpenCase domain={domain} subjects={caseSubjects(row)} evidence={{ request_id: row.request_id }} />
      <ScoreBadge score={row.score} evidence={explanation.evidence} size="xl" />
    </PageHead>

    <Verdict explanation={explanation} />
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="md">
          <Waterfall domain={domain} score={row.score} entries={explanation.entries} />
          <Claims row={row} explanation={explanation} snapshot={detail.snapshot} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="md">
          <Identifiers domain={domain} row={row} />
          <VisitCourse
            domain={domain}
            requestId={row.request_id}
            edge={explanation.edge}
            versions={detail.versions}
            deliveries={detail.deliveries}
          />
          <Visit row={row} />
        </Stack>
      </Grid.Col>
    </Grid>
    <VisitDecisions domain={domain} requestId={row.request_id} />
    <Agent agent={explanation.agent} />
    <Patterns domain={domain} findings={detail.patterns} />

    <KnownEvidence evidence={explanation.evidence} sources={explanation.evidence_sources} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Other signals">
        <SignalNames title="Clear: checked, nothing found" names={explanation.clear} color="teal" />
        <SignalNames
          title="Unknown: not enough data to check; neither good nor bad"
          names={explanation.unknown}
          color="gray"
        />
      </Section>
      <Identity identity={explanation.identity} />
    </SimpleGrid>
    <VisitVelocity velocity={explanation.velocity} />
    <VisitLists domain={domain} row={row} matches={explanation.lists} />
    <LabelsSection domain={domain} labels={detail.labels} subjects={labelSubjects(row)} />
    <Edge edge={explanation.edge} />
    <Network explanation={explanation} row={row} />
    <Versions versions={detail.versions} />
    <Events deliveries={detail.deliveries} pending={detail.pending} />
    <Snapshot snapshot={detail.snapshot} isUnavailable={detail.snapshot_unavailable} />
  </Stack>
)

/** In the order in which a review finds its subject. */
const CASE_KINDS = ['account', 'device', 'visitor', 'cookie', 'address'] as const

function caseSubjects(row: HistoryRow) {
  const all = subjectsOfVisit(row)
  return CASE_KINDS.flatMap((type) => {
    const subject = all.find(({ kind }) => kind === type)
    return subject ? [{ type, value: subject.value }] : []
  })
}

const labelSubjects = (row: HistoryRow) => [
  { type: 'request' as const, value: row.request_id },
  ...subjectsOfVisit(row).map(({ kind, value }) => ({ type: kind, value })),
]

interface KnownEvidenceProps {
  evidence: number | undefined
  sources: Explanation['evidence_sources']
}

/** A low score says that nothing was found. This says how much there was to find it in. */
const KnownEvidence = ({ evidence, sources = [] }: KnownEvidenceProps) =>
  evidence !== undefined && (
    <Section
      title="Evidence"
      about="How much of what could be known of this visit was known and proven. It changes no score; together with a low score it says how far to trust it."
    >
      <Text size="sm" component="div">
        {`${Math.round(evidence * 100)} of 100. In full: `}
        <Names names={sources.flatMap(({ name, known }) => (known === 1 ? [words(name)] : []))} />
        {' In part: '}
        <Names names={sources.flatMap(({ name, known }) => (known > 0 && known < 1 ? [words(name)] : []))} />
        {' Missing: '}
        <Names names={sources.flatMap(({ name, known }) => (known === 0 ? [words(name)] : []))} />
      </Text>
    </Section>
  )

const Patterns = ({ domain, findings }: { domain: string; findings: readonly PatternFinding[] }) =>
  findings.length > 0 && (
    <Section title="Patterns" about="Found over several visits, of which this is one. They change no score.">
      <FindingsTable domain={domain} findings={findings} />
    </Section>
  )

const known = (text: string | undefined) => (text === undefined || text === '' ? 'unknown' : text)

const Visit = ({ row }: { row: HistoryRow }) => (
  <Section title="Visit">
    <Facts
      facts={[
        { name: 'Browser', value: known(row.browser) },
        { name: 'System', value: known(row.os) },
        { name: 'Device type', value: known(row.device_type) },
        { name: 'Country', value: known(row.country) },
        { name: 'Connection', value: words(known(row.connection_type)) },
        { name: 'Traffic', value: traffic(row) },
        ...(row.entry_url === undefined ? [] : [{ name: 'Landing page', value: row.entry_url }]),
        { name: 'Flags', value: <Names names={raisedFlags(row).map(words)} /> },
      ]}
    />
  </Section>
)

const traffic = ({ traffic_channel, traffic_channel_group, traffic_reason }: HistoryRow): string =>
  [traffic_channel, traffic_channel_group, traffic_reason].filter((part) => part !== undefined).join(' · ') ||
  'unknown'

const SignalNames = ({ title, names, color }: { title: string; names: readonly string[]; color: string }) => (
  <Stack gap={6}>
    <Text size="sm" className="dim">
      {title}
    </Text>
    <Text size="sm" component="div">
      <Names names={names.map(signalTitle)} color={color} />
    </Text>
  </Stack>
)

interface EventsProps {
  deliveries: readonly Delivery[]
  pending: readonly PendingEvent[]
}

/** The exact bodies that were or will be sent, with the outcome of each delivery. */
const Events = ({ deliveries, pending }: EventsProps) => (
  <Section title="Webhook events">
    {deliveries.length + pending.length === 0 && (
      <Text size="sm">No event was created: the domain had no enabled endpoint.</Text>
    )}
    {pending.map(({ endpoint_id, attempts, due_at, body }) => (
      <Stack key={endpoint_id} gap="xs">
        <Text size="sm">
          Queued for endpoint {endpoint_id} after {countedText(attempts, 'attempt')}; next attempt at{' '}
          <Time at={due_at} />
        </Text>
        <CodeBlock title={`Body queued for endpoint ${endpoint_id}`} code={body} />
      </Stack>
    ))}
    {deliveries.length > 0 && <DeliveryList deliveries={deliveries} />}
  </Section>
)

interface SnapshotProps {
  snapshot: Record<string, unknown> | null
  isUnavailable: boolean
}

const Snapshot = ({ snapshot, isUnavailable }: SnapshotProps) => (
  <Section title="Raw snapshot">
    {snapshot === null ? (
      <Text size="sm">
        {isUnavailable
          ? 'The cold storage, which has the snapshots of old visits, does not respond. Try again later.'
          : 'It was not stored.'}
      </Text>
    ) : (
      <>
        <Group gap={4}>
          <Text size="sm" className="dim">
            All the data that this visit was scored on
          </Text>
          <CopyIcon value={JSON.stringify(snapshot, null, 2)} what="the snapshot" />
        </Group>
        <JsonTree value={snapshot} openLevels={0} />
      </>
    )}
  </Section>
)
