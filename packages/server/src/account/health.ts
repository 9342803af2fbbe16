import { presentTime } from '@inkling/contract'
import type { HEALTH_OPERATIONS, HealthCheck, SystemHealth } from '@inkling/contract/account'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { domainActivity, domainStore } from '../store/domains/domains.ts'
import { endpointStates } from '../store/domains/endpoint-failures.ts'
import { identificationsStored } from '../store/identifications/identifications.ts'
import { eventBacklog, sendsSince } from '../store/outbox/outbox.ts'
import type { AccountDeps, Handlers } from './handler.ts'
import { healthChecks } from './health-checks.ts'

/** What the checks need. */
type HealthDeps = Pick<AccountDeps, 'store' | 'feeds' | 'running' | 'now'>

/** The checks of the page on the system's health, problems first. */
export const readHealthChecks = async (deps: HealthDeps): Promise<HealthCheck[]> => {
  const nowMs = deps.now()
  return checksOf(deps, await readFigures(deps, nowMs), nowMs)
}

export const healthOperations: Handlers<typeof HEALTH_OPERATIONS> = {
  getSystemHealth: async (_call, deps) => {
    const { running } = deps
    const nowMs = deps.now()
    const figures = await readFigures(deps, nowMs)
    const checks = await checksOf(deps, figures, nowMs)
    return {
      version: running.version,
      started_at: presentTime(running.startedAtMs),
      checks,
      ...figures,
      follow_ups: running.followUps(),
    }
  },
}

const checksOf = async (
  { running, feeds }: HealthDeps,
  figures: Figures,
  nowMs: number,
): Promise<HealthCheck[]> =>
  healthChecks({
    ...figures,
    nowMs,
    installation: await running.installation(),
    sources: running.sources,
    diskLimits: running.diskLimits(),
    feeds: feeds.overview().map(({ feed, state }) => ({ feed, state })),
  })

/** The counted part of the answer. */
type Figures = Omit<SystemHealth, 'version' | 'started_at' | 'checks' | 'follow_ups'>

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
