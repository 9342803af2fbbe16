import type { HealthCheck, IngestMinute, SystemHealth } from '@inkling/contract/account'
import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { countedText, countText, sizeText, Time } from '../../parts/format.tsx'
import { type Fact, Facts, PageHead, ScrollTable, Section } from '../../parts/layout.tsx'

const REFRESH_MS = 10_000

export function HealthPage() {
  const query = useApiQuery('getSystemHealth', {}, { refetchInterval: REFRESH_MS })
  return (
    <>
      <PageHead about="The state of this installation, refreshed every ten seconds." />
      <Loaded query={query}>{(health) => <Health health={health} />}</Loaded>
    </>
  )
}

const Health = ({ health }: { health: SystemHealth }) => (
  <Stack>
    <Checks checks={health.checks} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Server">
        <Facts
          facts={[
            { name: 'Version', value: health.version },
            { name: 'Started', value: <Time at={health.started_at} /> },
            ...counted('Pending checks', health.follow_ups, (count) => countedText(count, 'visit')),
            { name: 'Last clean-up', value: <LastCleanUp retention={health.retention} /> },
          ]}
        />
      </Section>
      <Section title="Database">
        <Facts facts={databaseFacts(health.database)} />
      </Section>
      <Section title="Webhook events">
        <Facts
          facts={[
            { name: 'Queued', value: countText(health.events.waiting) },
            { name: 'Oldest overdue by', value: `${Math.round(health.events.overdue_ms / 1_000)} s` },
            { name: 'Deliveries, last hour', value: countText(health.events.sends_last_hour) },
            { name: 'Delivered', value: deliveredText(health.events.delivered_share) },
          ]}
        />
      </Section>
      <VolumesLeft domains={health.domains.filter(({ has_volume }) => has_volume)} />
    </SimpleGrid>
    <IngestMinutes minutes={health.ingest} />
  </Stack>
)

/** Only of domains for which somebody set a volume. */
const VolumesLeft = ({ domains }: Pick<SystemHealth, 'domains'>) =>
  domains.length > 0 && (
    <Section title="Identifications left">
      <Facts
        facts={domains.map(({ domain, remaining, identifications_last_day: daily }) => ({
          name: domain,
          value: `${countText(remaining)}; ${countText(daily)} used in the last 24 hours`,
        }))}
      />
    </Section>
  )

const databaseFacts = (database: SystemHealth['database']): Fact[] => [
  { name: 'Size', value: sizeText(database.bytes) },
  ...counted('Identifications', database.rows, countText),
  { name: 'Last 24 hours', value: countText(database.rows_last_day) },
  ...counted('Growth per day', database.bytes_per_day, sizeText),
  ...(database.free_bytes === null
    ? []
    : [{ name: 'Free disk space', value: sizeText(database.free_bytes) }]),
]

/** What counts all domains is left out for who does not see all. */
const counted = (name: string, value: number | null, textOf: (value: number) => string): Fact[] =>
  value === null ? [] : [{ name, value: textOf(value) }]

const deliveredText = (share: number | null): string =>
  share === null ? 'no deliveries' : `${Math.floor(share * 100)}%`

function LastCleanUp({ retention: { days, last_run_at, removed } }: Pick<SystemHealth, 'retention'>) {
  if (days === 0) return 'off: visits are kept forever'
  if (last_run_at === null) return `none since the start; visits are kept for ${countedText(days, 'day')}`
  return (
    <>
      <Time at={last_run_at} />
      {removed !== null && `: ${countedText(removed, 'visit')} removed`}; visits are kept for{' '}
      {countedText(days, 'day')}
    </>
  )
}

const STATES = {
  ok: { label: 'OK', tone: 'trusted' },
  warn: { label: 'Warning', tone: 'suspicious' },
  problem: { label: 'Problem', tone: 'dangerous' },
} as const

function Checks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <Section title="Checks" about={summary(checks)}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {checks.map(({ check, state, detail, advice }) => (
          <Group key={check} component="li" gap="sm" wrap="nowrap" align="flex-start">
            <StatusBadge tone={STATES[state].tone} miw={84} flex="none">
              {STATES[state].label}
            </StatusBadge>
            <div>
              <Text size="sm">
                <Text span size="sm" fw={600}>
                  {check}
                </Text>
                : {detail}
              </Text>
              {advice !== null && (
                <Text size="sm" className="dim">
                  {advice}
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

/** Such as `1 problem, 2 warnings.` */
function summary(checks: readonly HealthCheck[]): string {
  const count = (state: HealthCheck['state'], noun: string): string[] => {
    const found = checks.filter((check) => check.state === state).length
    return found === 0 ? [] : [countedText(found, noun)]
  }
  const found = [...count('problem', 'problem'), ...count('warn', 'warning')]
  return found.length === 0 ? 'All checks passed.' : `${found.join(', ')}.`
}

/** Recent throughput and latency, newest minute first; latency alone for who does not see all domains. */
function IngestMinutes({ minutes }: { minutes: readonly IngestMinute[] }) {
  const counts = minutes.some(({ identifications }) => identifications !== null)
    ? ['Identifications', 'Per second']
    : []
  return (
    <Section
      title="Recent identifications"
      about="Latency is the time until a visit is scored and stored, when the browser gets its response. This server process only."
    >
      <ScrollTable
        label="Recent identifications by minute"
        head={['Minute', ...counts, 'p50', 'p99']}
        numeric={[...counts, 'p50', 'p99']}
        miw={460}
        verticalSpacing={4}
      >
        {minutes.toReversed().map(({ at, identifications, p50_ms, p99_ms }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Time at={at} />
            </Table.Td>
            {identifications !== null && (
              <>
                <Table.Td ta="right">{countText(identifications)}</Table.Td>
                <Table.Td ta="right">{(identifications / 60).toFixed(1)}</Table.Td>
              </>
            )}
            <Table.Td ta="right">{duration(p50_ms)}</Table.Td>
            <Table.Td ta="right">{duration(p99_ms)}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Section>
  )
}

const duration = (ms: number | null): string => (ms === null ? '' : `${ms} ms`)
