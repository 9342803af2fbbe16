import { presentTime } from '@inkling/contract'
import {
  type HEALTH_OPERATIONS,
  type HealthCheck,
  rightsIn,
  type SystemHealth,
} from '@inkling/contract/account'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { domainStore, identificationsSince } from '../store/domains/domains.ts'
import { endpointStates } from '../store/domains/endpoint-failures.ts'
import { identificationsStored } from '../store/identifications/identifications.ts'
import {
  backlogsByDomain,
  type EventBacklog,
  joinBacklogs,
  type Sends,
  sendsByDomain,
} from '../store/outbox/outbox.ts'
import type { AccountDeps, Handlers } from './handler.ts'
import { type HealthFacts, healthChecks } from './health-checks.ts'

/** What the checks need. */
type HealthDeps = Pick<AccountDeps, 'store' | 'feeds' | 'running' | 'now'>

/** Whether the reader may know of a domain. */
type Sees = (domain: string) => boolean

/** The checks of the page on the system's health, problems first, as somebody sees them who knows some domains only. */
export const readHealthChecks = async (deps: HealthDeps): Promise<(sees: Sees) => HealthCheck[]> => {
  const nowMs = deps.now()
  const known = await readKnown(deps, nowMs, () => true)
  const installation = await deps.running.installation()
  return (sees) => checksOf(deps, known, { installation, nowMs }, sees)
}

export const healthOperations: Handlers<typeof HEALTH_OPERATIONS> = {
  getSystemHealth: async ({ caller }, deps) => {
    const { running } = deps
    const nowMs = deps.now()
    const sees: Sees = (domain) => rightsIn(caller, domain).size > 0
    const known = await readKnown(deps, nowMs, sees)
    const checks = checksOf(deps, known, { installation: await running.installation(), nowMs }, sees)
    return {
      version: running.version,
      started_at: presentTime(running.startedAtMs),
      checks,
      ...seenFigures(known, nowMs, sees),
      follow_ups: seesAll(known, sees) ? running.followUps() : null,
    }
  },
}

function checksOf(
  { running, feeds }: HealthDeps,
  known: Known,
  { installation, nowMs }: Pick<HealthFacts, 'installation' | 'nowMs'>,
  sees: Sees,
): HealthCheck[] {
  return healthChecks({
    ...seenFigures(known, nowMs, sees),
    // What is free concerns everybody on the disk, and tells no count.
    database: known.database,
    installation: seesAll(known, sees) ? installation : installation.map(withoutDetail),
    nowMs,
    sources: running.sources,
    diskLimits: running.diskLimits().filter(({ of }) => ['database', 'free space'].includes(of) || sees(of)),
    feeds: feeds.overview().map(({ feed, state }) => ({ feed, state })),
  })
}

/** Paths, addresses and totals are for who sees the whole installation. */
const withoutDetail = ({ check, ok }: HealthFacts['installation'][number]) => ({
  check,
  ok,
  detail: ok ? 'works' : 'does not work',
})

/** The counted part of the answer. */
type Figures = Omit<SystemHealth, 'version' | 'started_at' | 'checks' | 'follow_ups'>

interface KnownDomain {
  shown: Figures['domains'][number]
  backlog: EventBacklog | undefined
  sends: Sends | undefined
}

/** Of the whole installation, by domain where it can be. */
interface Known extends Pick<Figures, 'database' | 'ingest' | 'retention'> {
  domains: readonly KnownDomain[]
  endpoints: Figures['events']['endpoints']
}

const seesAll = ({ domains }: Known, sees: Sees): boolean => domains.every(({ shown }) => sees(shown.domain))

/** Nothing names or counts a domain that the reader does not see, and from no total can its count be told. */
function seenFigures(known: Known, nowMs: number, sees: Sees): Figures {
  const domains = known.domains.filter(({ shown }) => sees(shown.domain))
  const isAll = seesAll(known, sees)
  const { waiting, dueAt = nowMs } = joinBacklogs(domains.flatMap(({ backlog }) => backlog ?? []))
  const sends = sum(domains.map((domain) => domain.sends?.sends ?? 0))
  const accepted = sum(domains.map((domain) => domain.sends?.accepted ?? 0))
  return {
    database: {
      ...known.database,
      rows_last_day: lastDay(domains),
      ...(!isAll && { rows: null, bytes_per_day: null }),
    },
    events: {
      waiting,
      overdue_ms: Math.max(0, nowMs - dueAt),
      sends_last_hour: sends,
      delivered_share: sends === 0 ? null : accepted / sends,
      endpoints: known.endpoints.filter(({ domain }) => sees(domain)),
    },
    ingest: isAll ? known.ingest : known.ingest.map((minute) => ({ ...minute, identifications: null })),
    domains: domains.map(({ shown }) => shown),
    retention: isAll ? known.retention : { ...known.retention, removed: null },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const lastDay = (domains: readonly KnownDomain[]): number =>
  sum(domains.map(({ shown }) => shown.identifications_last_day))

/** @param counts the domains whose visits are counted, as only those are shown; the others have none */
async function readKnown({ store, running }: HealthDeps, nowMs: number, counts: Sees): Promise<Known> {
  const [storage, rows, domains, endpoints] = await Promise.all([
    running.storage(),
    identificationsStored(store.reads),
    readDomains(store, nowMs, counts),
    endpointStates(store.reads),
  ])
  const lastRun = running.retention.last()
  const areAllCounted = domains.every(({ shown }) => counts(shown.domain))
  const bytesPerDay = rows === 0 ? 0 : Math.round((storage.bytes / rows) * lastDay(domains))
  return {
    database: {
      bytes: storage.bytes,
      rows,
      rows_last_day: lastDay(domains),
      bytes_per_day: areAllCounted ? bytesPerDay : null,
      free_bytes: storage.freeBytes ?? null,
    },
    endpoints: endpoints.map(({ id, domain, state }) => ({ endpoint_id: id, domain, state })),
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

async function readDomains(
  { reads }: AccountDeps['store'],
  nowMs: number,
  counts: Sees,
): Promise<KnownDomain[]> {
  const [domains, backlogs, sends] = await Promise.all([
    domainStore(reads).list(),
    backlogsByDomain(reads),
    sendsByDomain(reads, nowMs - HOUR_MS),
  ])
  return Promise.all(
    domains.map(async ({ id, name, remaining, has_volume }) => ({
      shown: {
        domain: name,
        remaining,
        has_volume: has_volume === 1,
        identifications_last_day: counts(name) ? await identificationsSince(reads, id, nowMs - DAY_MS) : 0,
      },
      backlog: backlogs.get(id),
      sends: sends.get(id),
    })),
  )
}
