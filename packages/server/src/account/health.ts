import { presentTime } from '@inkling/contract'
import {
  type HEALTH_OPERATIONS,
  type HealthCheck,
  rightsIn,
  type SystemHealth,
} from '@inkling/contract/account'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { domainActivity, domainStore } from '../store/domains/domains.ts'
import { endpointStates } from '../store/domains/endpoint-failures.ts'
import { identificationsStored } from '../store/identifications/identifications.ts'
import { eventBacklog, sendsSince } from '../store/outbox/outbox.ts'
import type { AccountDeps, Handlers } from './handler.ts'
import { type HealthFacts, healthChecks } from './health-checks.ts'

/** What the checks need. */
type HealthDeps = Pick<AccountDeps, 'store' | 'feeds' | 'running' | 'now'>

/** Whether the reader may know of a domain. */
type Sees = (domain: string) => boolean

/** The checks of the page on the system's health, problems first, as somebody sees them who knows some domains only. */
export const readHealthChecks = async (deps: HealthDeps): Promise<(sees: Sees) => HealthCheck[]> => {
  const nowMs = deps.now()
  const figures = await readFigures(deps, nowMs)
  const installation = await deps.running.installation()
  return (sees) => checksOf(deps, { ...seenFigures(figures, sees), installation, nowMs }, sees)
}

export const healthOperations: Handlers<typeof HEALTH_OPERATIONS> = {
  getSystemHealth: async ({ caller }, deps) => {
    const { running } = deps
    const nowMs = deps.now()
    const sees: Sees = (domain) => rightsIn(caller, domain).size > 0
    const figures = seenFigures(await readFigures(deps, nowMs), sees)
    const checks = checksOf(deps, { ...figures, installation: await running.installation(), nowMs }, sees)
    return {
      version: running.version,
      started_at: presentTime(running.startedAtMs),
      checks,
      ...figures,
      follow_ups: running.followUps(),
    }
  },
}

const checksOf = (
  { running, feeds }: HealthDeps,
  known: Figures & Pick<HealthFacts, 'installation' | 'nowMs'>,
  sees: Sees,
): HealthCheck[] =>
  healthChecks({
    ...known,
    sources: running.sources,
    diskLimits: running.diskLimits().filter(({ of }) => ['database', 'free space'].includes(of) || sees(of)),
    feeds: feeds.overview().map(({ feed, state }) => ({ feed, state })),
  })

/** The counted part of the answer. */
type Figures = Omit<SystemHealth, 'version' | 'started_at' | 'checks' | 'follow_ups'>

/** Totals stay those of the installation; nothing names a domain that the reader does not see. */
const seenFigures = ({ events, domains, ...totals }: Figures, sees: Sees): Figures => ({
  ...totals,
  events: { ...events, endpoints: events.endpoints.filter(({ domain }) => sees(domain)) },
  domains: domains.filter(({ domain }) => sees(domain)),
})

async function readFigures({ store, running }: HealthDeps, nowMs: number): Promise<Figures> {
  const [storage, rows, backlog, { sends, accepted }, domains, endpoints] = await Promise.all([
    running.storage(),
    identificationsStored(store.reads),
    eventBacklog(store.reads),
    sendsSince(store.reads, nowMs - HOUR_MS),
    readDomains(store, nowMs),
    endpointStates(store.reads),
  ])
  const rowsLastDay = domains.reduce((sum, domain) => sum + domain.identifications_last_day, 0)
  const lastRun = running.retention.last()
  return {
    database: {
      bytes: storage.bytes,
      rows,
      rows_last_day: rowsLastDay,
      bytes_per_day: rows === 0 ? 0 : Math.round((storage.bytes / rows) * rowsLastDay),
      free_bytes: storage.freeBytes ?? null,
    },
    events: {
      waiting: backlog.waiting,
      overdue_ms: Math.max(0, nowMs - (backlog.dueAt ?? nowMs)),
      sends_last_hour: sends,
      delivered_share: sends === 0 ? null : accepted / sends,
      endpoints: endpoints.map(({ id, domain, state }) => ({ endpoint_id: id, domain, state })),
    },
    ingest: running.latency.minutes(nowMs).map(({ atMs, count, p50Ms, p99Ms }) => ({
      at: presentTime(atMs),
      identifications: count,
      p50_ms: p50Ms ?? null,
      p99_ms: p99Ms ?? null,
    })),
    domains,
    retention: {
      days: running.retention.days,
      last_run_at: lastRun ? presentTime(lastRun.endedAtMs) : null,
      removed: lastRun?.removed ?? null,
    },
  }
}

async function readDomains({ reads }: AccountDeps['store'], nowMs: number): Promise<Figures['domains']> {
  const domains = await domainStore(reads).list()
  return Promise.all(
    domains.map(async ({ id, name, remaining, has_volume }) => ({
      domain: name,
      remaining,
      has_volume: has_volume === 1,
      identifications_last_day: (await domainActivity(reads, id, nowMs - DAY_MS)).identifications,
    })),
  )
}
