import type { HealthCheck, SystemHealth } from '@inkling/contract/account'
import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import type { DiskLimit } from '../store/disk-budget.ts'
import type { RunningState } from '../telemetry/running-state.ts'

/** What the checks examine, with the figures of the answer. */
export interface HealthFacts
  extends Pick<SystemHealth, 'database' | 'events' | 'ingest' | 'domains' | 'retention'>,
    Pick<RunningState, 'sources'> {
  diskLimits: ReturnType<RunningState['diskLimits']>
  nowMs: number
  installation: Awaited<ReturnType<RunningState['installation']>>
  feeds: readonly { feed: string; state: 'missing' | 'current' | 'failed' | 'stale' }[]
}

/** How long after its due time an event shows that sending is stuck. Retries are not due yet. */
const OVERDUE_WARN_MS = MINUTE_MS
const OVERDUE_PROBLEM_MS = 10 * MINUTE_MS
const SHARE_WARN = 0.95
const SHARE_PROBLEM = 0.5
/** A share of fewer sends means little. */
const SENDS_MIN = 20
const ACKNOWLEDGED_WARN_MS = 500
const ACKNOWLEDGED_PROBLEM_MS = 2_000
/** A warning comes when disk or volume would last fewer days. */
const DAYS_WARN = 7
const FREE_PROBLEM_BYTES = 500_000_000
/** Retention runs once an hour. */
const RETENTION_LATE_MS = 3 * HOUR_MS

const STATES = ['problem', 'warn', 'ok'] as const

type Finding = Omit<HealthCheck, 'check'>

const ok = (detail: string): Finding => ({ state: 'ok', detail, advice: null })
const warn = (detail: string, advice: string): Finding => ({ state: 'warn', detail, advice })
const problem = (detail: string, advice: string): Finding => ({ state: 'problem', detail, advice })

/** Every check with its finding and advice, problems first. */
export function healthChecks(facts: HealthFacts): HealthCheck[] {
  const checks: HealthCheck[] = [
    { check: 'disk', ...disk(facts) },
    ...facts.diskLimits.map(diskLimitCheck),
    { check: 'webhook events', ...events(facts) },
    { check: 'webhook delivery', ...delivery(facts) },
    { check: 'webhook endpoints', ...endpoints(facts) },
    { check: 'acknowledgement', ...acknowledgement(facts) },
    { check: 'feeds', ...feeds(facts) },
    { check: 'retention', ...retention(facts) },
    ...facts.domains
      .filter(({ has_volume }) => has_volume)
      .map((domain) => ({ check: `volume of ${domain.domain}`, ...volume(domain) })),
    ...facts.sources.map(sourceCheck),
    ...facts.installation.map(installationCheck),
  ]
  return checks.toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state))
}

function disk({ database }: HealthFacts): Finding {
  const { free_bytes: free, bytes_per_day: growth } = database
  if (free === null) return ok(sizeOf(database.bytes))
  const detail = `${sizeOf(database.bytes)}, ${sizeOf(free)} free`
  if (free < FREE_PROBLEM_BYTES)
    return problem(detail, 'Free disk space now: identifications that cannot be stored are rejected.')
  if (growth !== null && free < growth * DAYS_WARN)
    return warn(
      detail,
      `Less than ${DAYS_WARN} days of growth fit: enlarge the disk or lower RETENTION_DAYS.`,
    )
  return ok(detail)
}

const diskLimitCheck = (limit: DiskLimit): HealthCheck => ({
  check:
    limit.of === 'free space' || limit.of === 'database'
      ? `disk budget: ${limit.of}`
      : `disk budget of ${limit.of}`,
  ...diskLimit(limit),
})

function diskLimit({ of, bytes, limitBytes, state }: DiskLimit): Finding {
  const detail =
    of === 'free space'
      ? `${sizeOf(bytes)}, of which ${sizeOf(limitBytes)} stay free`
      : `${sizeOf(bytes)} of ${sizeOf(limitBytes)}`
  const advice =
    of === 'free space'
      ? 'Free disk space, or lower DISK_FREE_MB.'
      : 'Raise the budget, or lower RETENTION_DAYS: see the configuration page.'
  if (state === 'full') return problem(`${detail}: visits are refused`, advice)
  return state === 'near' ? warn(detail, advice) : ok(detail)
}

function events({ events: { waiting, overdue_ms: overdueMs } }: HealthFacts): Finding {
  if (overdueMs < OVERDUE_WARN_MS) return ok(`${waiting} waiting`)
  const detail = `${waiting} waiting, the oldest ${Math.round(overdueMs / MINUTE_MS)} minutes overdue`
  const advice = 'Look at the delivery log of each endpoint, and at the server’s log.'
  return overdueMs < OVERDUE_PROBLEM_MS ? warn(detail, advice) : problem(detail, advice)
}

function delivery({ events: { sends_last_hour: sends, delivered_share: share } }: HealthFacts): Finding {
  if (share === null) return ok('nothing was sent in the last hour')
  const detail = `${Math.floor(share * 100)} % of ${sends} sends of the last hour were accepted`
  if (sends < SENDS_MIN || share >= SHARE_WARN) return ok(detail)
  const advice = 'Read the delivery log for what the endpoint answers; it must accept within a second.'
  return share < SHARE_PROBLEM ? problem(detail, advice) : warn(detail, advice)
}

function endpoints({ events: { endpoints: all } }: HealthFacts): Finding {
  const named = (state: 'failing' | 'disabled') =>
    all
      .filter((endpoint) => endpoint.state === state)
      .map(({ endpoint_id, domain }) => `${endpoint_id} of ${domain}`)
      .join(', ')
  const [disabled, failing] = [named('disabled'), named('failing')]
  if (disabled !== '')
    return problem(
      `disabled: ${disabled}`,
      'Their sends failed for days. Repair the receiver, then enable the endpoint on the webhooks page; missed verdicts are in History.',
    )
  if (failing !== '')
    return warn(
      `failing: ${failing}`,
      'Read the delivery log for what the endpoint answers. After days without an accepted send it is disabled.',
    )
  return ok('none fails')
}

function acknowledgement({ ingest }: HealthFacts): Finding {
  const slowestMs = Math.max(0, ...ingest.map(({ p99_ms }) => p99_ms ?? 0))
  if (ingest.every(({ p99_ms }) => p99_ms === null)) return ok('no identification in the last minutes')
  const detail = `p99 at most ${slowestMs} ms in ${ingest.length} minutes`
  if (slowestMs < ACKNOWLEDGED_WARN_MS) return ok(detail)
  const advice = 'The disk or the processor is at its limit: look at what else uses them.'
  return slowestMs < ACKNOWLEDGED_PROBLEM_MS ? warn(detail, advice) : problem(detail, advice)
}

function feeds({ feeds: all }: HealthFacts): Finding {
  const named = (...states: string[]) =>
    all.filter(({ state }) => states.includes(state)).map(({ feed }) => feed)
  if (all.length === 0)
    return warn(
      'FEEDS is off',
      'Without lists, Tor, VPNs and data centers are not recognised by their address.',
    )
  const unusable = named('stale', 'missing')
  if (unusable.length > 0)
    return problem(
      `not usable: ${unusable.join(', ')}`,
      'Update them on the feeds page to see why that fails; until then their signals answer “unknown”.',
    )
  const failed = named('failed')
  if (failed.length > 0)
    return warn(
      `last attempt failed: ${failed.join(', ')}`,
      'What was downloaded before stays in use; see the feeds page.',
    )
  return ok(`${all.length} are current`)
}

function retention({ retention: { days, last_run_at: lastRunAt }, nowMs }: HealthFacts): Finding {
  if (days === 0) return ok('everything is kept')
  if (lastRunAt === null)
    return ok(`kept for ${days} days; the first removal runs within an hour of the start`)
  const sinceMs = nowMs - Date.parse(lastRunAt)
  if (sinceMs > RETENTION_LATE_MS)
    return warn(
      `kept for ${days} days; nothing was removed for ${Math.round(sinceMs / HOUR_MS)} hours`,
      'The server’s log says why removal failed.',
    )
  return ok(`kept for ${days} days`)
}

function volume({ remaining, identifications_last_day: daily }: HealthFacts['domains'][number]): Finding {
  const detail = `${remaining} identifications left`
  if (remaining <= 0) return warn(detail, 'The volume is used up. Visits are still scored; set a new volume.')
  if (remaining < daily * DAYS_WARN)
    return warn(detail, `Less than ${DAYS_WARN} days at the present rate: set a new volume.`)
  return ok(detail)
}

const SOURCE_ADVICE: Record<string, string> = {
  kernel: 'Run the server on Linux, where the first packet and round trips can be read.',
  'network check':
    'Set TURN_PORT to a free port, and HOST to an address, that visitors reach, so that real addresses are seen.',
  TLS: 'Set TLS_CERT and TLS_KEY, or accept that the TLS hello is not seen.',
}

const sourceCheck = ({ source, available, reason }: HealthFacts['sources'][number]): HealthCheck => ({
  check: `evidence: ${source}`,
  ...(available ? ok('available') : warn(reason, SOURCE_ADVICE[source] ?? '')),
})

const INSTALLATION_ADVICE: Record<string, string> = {
  node: 'Install the Node.js version that comes with the release.',
  'data directory': 'Give the server’s user the right to write into DATA_DIR.',
  'trusted proxies': 'Correct TRUST_PROXY: a list of CIDRs.',
  certificate: 'Renew the certificate in TLS_CERT, and restart the server, which reads it at its start.',
  agent: 'Build the agent, or install the release again.',
  'change feed': 'Fetch and remove the oldest files of CHANGE_FEED_DIR, or raise CHANGE_FEED_UNREAD_MB.',
  'cold storage':
    'Look at the storage and at the COLD_STORAGE settings: until it responds, old visits lack what it has, and nothing is moved.',
  nodes:
    'Correct NODE_ADDRESS of the node, or open its port to the others: their evidence on its visits is missing.',
  valkey: 'Start Valkey, or correct VALKEY_URL: until it answers each node counts requests alone.',
  'address data': 'Install the release again: its address data is missing or damaged.',
}

const installationCheck = ({
  check,
  ok: isOk,
  detail,
}: HealthFacts['installation'][number]): HealthCheck => ({
  check,
  ...(isOk ? ok(detail) : problem(detail, INSTALLATION_ADVICE[check] ?? 'Run `inkling doctor` for more.')),
})

const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
