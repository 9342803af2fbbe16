import { Counter, Gauge, type Registry } from 'prom-client'
import type { DiskLimit } from '../store/disk-budget.ts'

/** One value with the labels of its series. */
export interface Sample {
  labels?: Record<string, string>
  value: number
}

/** What connections take, and what they sent that is kept for a while. */
export interface NetworkLoad {
  connections: number
  waitingBytes: number
  channels: number
  unfinishedBytes: number
  evidenceBytes: number
}

/** Reads the state of a server. Times are Unix milliseconds. */
export interface ServerState {
  version: string
  now(): number
  /** How many visits may still get evidence. */
  followUps(): number
  network(): NetworkLoad
  webhooks(): { queued: number; sending: number }
  outbox(): Promise<{ waiting: number; dueAt: number | undefined }>
  /** Webhook endpoints that fail, or that the server has disabled for that. */
  endpoints(): Promise<readonly { state: 'failing' | 'disabled' }[]>
  storage(): Promise<{ bytes: number; freeBytes: number | undefined }>
  diskLimits(): readonly DiskLimit[]
  domains(): Promise<readonly { name: string; stored_bytes: number; remaining: number; has_volume: number }[]>
  feeds(): readonly { feed: string; state: string; rows: number; updatedAt: number | undefined }[]
  /** How long the oldest row has been waiting that could be in the change feed; undefined without one. */
  changeFeedDelayMs(): Promise<number | undefined>
  /** What the cold storage has; undefined without one. */
  coldObjects(): Promise<{ objects: number; bytes: number } | undefined>
}

interface StateGauge {
  name: string
  help: string
  labels?: readonly string[]
  read(state: ServerState): readonly Sample[] | Promise<readonly Sample[]>
}

const DISK_STATES: Record<DiskLimit['state'], number> = { ok: 0, near: 1, full: 2 }

const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }])
const secondsSince = (atMs: number, { now }: ServerState): number => Math.max(0, now() - atMs) / 1_000

const GAUGES: readonly StateGauge[] = [
  {
    name: 'inkling_info',
    help: 'Always 1, with the version as a label',
    labels: ['version'],
    read: ({ version }) => [{ labels: { version }, value: 1 }],
  },
  {
    name: 'inkling_follow_ups_open',
    help: 'Visits that may still get evidence',
    read: (state) => one(state.followUps()),
  },
  {
    name: 'inkling_connections_open',
    help: 'Open connections',
    read: (state) => one(state.network().connections),
  },
  {
    name: 'inkling_answers_waiting_bytes',
    help: 'Memory of answers that wait until their clients read them',
    read: (state) => one(state.network().waitingBytes),
  },
  {
    name: 'inkling_follow_channels_open',
    help: 'Open follow-up channels',
    read: (state) => one(state.network().channels),
  },
  {
    name: 'inkling_follow_unfinished_bytes',
    help: 'Bytes of messages on follow-up channels that have arrived in part',
    read: (state) => one(state.network().unfinishedBytes),
  },
  {
    name: 'inkling_follow_evidence_bytes',
    help: 'What visits that may still get evidence have sent',
    read: (state) => one(state.network().evidenceBytes),
  },
  {
    name: 'inkling_webhooks_queued',
    help: 'Events in memory that wait in the queue of their endpoint',
    read: (state) => one(state.webhooks().queued),
  },
  {
    name: 'inkling_webhooks_sending',
    help: 'Webhook requests in progress or not recorded yet',
    read: (state) => one(state.webhooks().sending),
  },
  {
    name: 'inkling_outbox_events',
    help: 'Committed events that are not sent yet',
    read: async (state) => one((await state.outbox()).waiting),
  },
  {
    name: 'inkling_outbox_overdue_seconds',
    help: 'How long the oldest due event has been waiting; 0 without one',
    async read(state) {
      const { dueAt } = await state.outbox()
      return one(dueAt === undefined ? 0 : secondsSince(dueAt, state))
    },
  },
  {
    name: 'inkling_webhook_endpoints',
    help: 'Webhook endpoints whose last sends failed, and those that the server disabled for that',
    labels: ['state'],
    async read(state) {
      const endpoints = await state.endpoints()
      return (['failing', 'disabled'] as const).map((name) => ({
        labels: { state: name },
        value: endpoints.filter((endpoint) => endpoint.state === name).length,
      }))
    },
  },
  {
    name: 'inkling_database_bytes',
    help: 'Size of the database on disk',
    read: async (state) => one((await state.storage()).bytes),
  },
  {
    name: 'inkling_database_free_bytes',
    help: 'Free space on the disk of the database, where known',
    read: async (state) => one((await state.storage()).freeBytes),
  },
  {
    name: 'inkling_disk_limit_state',
    help: 'What visits may take of the disk: 0 with room, 1 when less than a fifth is left, 2 while visits are refused',
    labels: ['of'],
    read: (state) =>
      state.diskLimits().map(({ of, state: is }) => ({ labels: { of }, value: DISK_STATES[is] })),
  },
  {
    name: 'inkling_domain_stored_bytes',
    help: 'Estimate of what the identifications of a domain take on disk',
    labels: ['domain'],
    read: async (state) =>
      (await state.domains()).map(({ name, stored_bytes }) => ({
        labels: { domain: name },
        value: stored_bytes,
      })),
  },
  {
    name: 'inkling_domain_remaining',
    help: 'Remaining identifications in the volume of a domain, if somebody set one',
    labels: ['domain'],
    read: async (state) =>
      (await state.domains()).flatMap(({ name, remaining, has_volume }) =>
        has_volume === 1 ? [{ labels: { domain: name }, value: remaining }] : [],
      ),
  },
  {
    name: 'inkling_change_feed_delay_seconds',
    help: 'How long the oldest row has been waiting that could be in the change feed; left out on nodes without one',
    async read(state) {
      const delayMs = await state.changeFeedDelayMs()
      return one(delayMs === undefined ? undefined : delayMs / 1_000)
    },
  },
  {
    name: 'inkling_cold_storage_objects',
    help: 'Objects in the cold storage; left out without one',
    read: async (state) => one((await state.coldObjects())?.objects),
  },
  {
    name: 'inkling_cold_storage_bytes',
    help: 'Bytes of all objects in the cold storage; left out without one',
    read: async (state) => one((await state.coldObjects())?.bytes),
  },
  {
    name: 'inkling_feed_entries',
    help: 'Entries of a feed in use',
    labels: ['feed'],
    read: (state) => state.feeds().map(({ feed, rows }) => ({ labels: { feed }, value: rows })),
  },
  {
    name: 'inkling_feed_age_seconds',
    help: 'Time since a source last confirmed its feed',
    labels: ['feed'],
    read: (state) =>
      state
        .feeds()
        .flatMap(({ feed, updatedAt }) =>
          updatedAt === undefined ? [] : [{ labels: { feed }, value: secondsSince(updatedAt, state) }],
        ),
  },
  {
    name: 'inkling_feed_state',
    help: 'Always 1, with the state of a feed as a label: current, failed, stale or missing',
    labels: ['feed', 'state'],
    read: (state) => state.feeds().map(({ feed, state: is }) => ({ labels: { feed, state: is }, value: 1 })),
  },
]

/** A database that does not respond must not fail the whole scrape. */
const READ_WITHIN_MS = 3_000

/** Registers gauges that are read at each scrape. A gauge that cannot be read is left out and counted. */
export function stateMetrics(registry: Registry, state: ServerState): void {
  const failures = new Counter({
    name: 'inkling_state_unread_total',
    help: 'Gauges that a scrape had to leave out, by metric',
    labelNames: ['metric'],
    registers: [registry],
  })
  for (const { name, help, labels = [], read } of GAUGES)
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const samples = await within(READ_WITHIN_MS, async () => read(state)).catch(() => {
          failures.inc({ metric: name })
          return []
        })
        this.reset()
        // `reset` sets a gauge without labels to 0, which would be wrong when it could not be read.
        if (labels.length === 0) this.remove()
        for (const { labels: values = {}, value } of samples) this.set(values, value)
      },
    })
}

async function within<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('timeout')), limitMs)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
