import type { SystemHealth } from '@inkling/contract/account'
import { SimpleGrid, Stack } from '@mantine/core'
import { sizeText } from '../../api/save-file.ts'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import { Checks } from './checks.tsx'
import { IngestMinutes } from './ingest-minutes.tsx'

/** How often it is looked at. */
const LOOK_MS = 10_000

export function HealthPage() {
  const query = useAnswer('getSystemHealth', {}, { refetchInterval: LOOK_MS })
  return (
    <>
      <PageHead title="System health" about="How this installation does, looked at every ten seconds." />
      <Answered query={query}>{(health) => <Health health={health} />}</Answered>
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
            { name: 'Checks that may still report', value: `of ${health.follow_ups} visits` },
            { name: 'Last removal of old visits', value: <LastRemoval retention={health.retention} /> },
          ]}
        />
      </Section>
      <Section title="Database">
        <Facts
          facts={[
            { name: 'Size', value: sizeText(health.database.bytes) },
            { name: 'Identifications', value: health.database.rows.toLocaleString() },
            { name: 'Last 24 hours', value: health.database.rows_last_day.toLocaleString() },
            { name: 'Growth in a day', value: sizeText(health.database.bytes_per_day) },
            ...(health.database.free_bytes === null
              ? []
              : [{ name: 'Free on its disk', value: sizeText(health.database.free_bytes) }]),
          ]}
        />
      </Section>
      <Section title="Webhook events">
        <Facts
          facts={[
            { name: 'Waiting', value: health.events.waiting.toLocaleString() },
            { name: 'Oldest overdue by', value: `${Math.round(health.events.overdue_ms / 1_000)} s` },
            { name: 'Sends in the last hour', value: health.events.sends_last_hour.toLocaleString() },
            { name: 'Accepted', value: share(health.events.delivered_share) },
          ]}
        />
      </Section>
      <Section title="Volume left">
        <Facts
          facts={health.domains.map(({ domain, remaining, identifications_last_day: daily }) => ({
            name: domain,
            value: `${remaining.toLocaleString()}; ${daily.toLocaleString()} in the last 24 hours`,
          }))}
        />
      </Section>
    </SimpleGrid>
    <IngestMinutes minutes={health.ingest} />
  </Stack>
)

const share = (part: number | null): string =>
  part === null ? 'nothing was sent' : `${Math.floor(part * 100)} %`

function LastRemoval({ retention }: Pick<SystemHealth, 'retention'>) {
  if (retention.days === 0) return 'everything is kept'
  if (retention.last_run_at === null) return `none since the start; kept for ${retention.days} days`
  return (
    <>
      <Time at={retention.last_run_at} />, {retention.removed} removed; kept for {retention.days} days
    </>
  )
}
