import type { Logger } from 'pino'
import { Agent } from 'undici'
import { type RepeatedTask, repeat } from '../../lib/repeat.ts'
import { openCompiler } from './compiler.ts'
import type { Feed, FeedStatus } from './feed.ts'
import { openFeedFiles } from './feed-files.ts'
import { fetchFeed } from './fetch-feed.ts'
import { type HeldFeeds, holdFeeds } from './held-feeds.ts'
import { type Failures, nextAttemptAt, updateFeed } from './update-feed.ts'

export interface FeedsOptions {
  dataDir: string
  feeds: readonly Feed[]
  log: Pick<Logger, 'info' | 'warn'>
  /** Unix milliseconds. */
  now?: () => number
  /** For one exchange with a source. */
  timeoutMs?: number
}

/** The update under way. */
export interface FeedProgress {
  /** The one that is being fetched. */
  feed: string
  done: number
  total: number
}

export interface FeedOverview extends FeedStatus {
  source: Feed
  /** When it is fetched again, at the earliest; milliseconds. */
  nextAt: number
}

export interface Feeds extends Omit<HeldFeeds, 'updatedAt' | 'noteFailure'> {
  /**
   * Fetches feeds now, one after another; all of them without `ids`.
   * @throws when no feed has one of the IDs
   */
  update(ids?: readonly string[], onProgress?: (done: number, total: number) => void): Promise<FeedStatus[]>
  /** Undefined while nothing is fetched. */
  updating(): FeedProgress | undefined
  overview(): FeedOverview[]
  /** Fetches what is due. */
  refreshDue(): Promise<void>
  /** Repeats `reload` and `refreshDue` until it is closed. */
  start(): void
  close(): Promise<void>
}

/** What another process stored is seen within so long. */
const RELOAD_MS = 500
const REFRESH_CHECK_MS = 5_000
const TIMEOUT_MS = 60_000
/** The earliest a feed is fetched again, as a part of its period; the latest is the period. */
const SHARE_MIN = 0.9

/** Keeps the feeds fresh in `dataDir` and in memory. What was stored before is there at once. */
export async function createFeeds(options: FeedsOptions): Promise<Feeds> {
  const { dataDir, feeds, log, now = Date.now, timeoutMs = TIMEOUT_MS } = options
  const files = openFeedFiles(dataDir)
  const compiler = openCompiler()
  const dispatcher = new Agent()
  const closing = new AbortController()
  const { updatedAt, noteFailure, ...held } = holdFeeds(feeds, files, now)
  const failures = new Map<string, Failures>()
  const shares = new Map(feeds.map(({ id }) => [id, SHARE_MIN + (1 - SHARE_MIN) * Math.random()]))
  let repeating: RepeatedTask[] = []
  let lastTurn: Promise<unknown> = Promise.resolve()
  let progress: FeedProgress | undefined

  const dueAt = (feed: Feed): number => {
    const at = updatedAt(feed)
    // A time to come was written before the clock was set right.
    const known = at !== undefined && at <= now() ? at : undefined
    return nextAttemptAt(feed, known, failures.get(feed.id), shares.get(feed.id) ?? 1)
  }

  async function updateOne(feed: Feed): Promise<void> {
    const outcome = await updateFeed(feed, {
      files,
      compiler,
      fetch: (source, validators, signal) => fetchFeed(source, validators, { dispatcher, timeoutMs, signal }),
      signal: closing.signal,
      now,
    })
    // What was cut off by closing failed at nothing.
    if (closing.signal.aborted) return
    await held.reload()
    if (outcome.result === 'updated') {
      failures.delete(feed.id)
      return
    }
    const at = now()
    failures.set(feed.id, { ...outcome, count: (failures.get(feed.id)?.count ?? 0) + 1, at })
    noteFailure(feed, { at, reason: outcome.reason })
  }

  /** One at a time, so that a start is no rush and the machine has other work to do. */
  function updateAll(
    chosen: readonly Feed[],
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const [first] = chosen
    if (first) progress ??= { feed: first.id, done: 0, total: chosen.length }
    const turn = lastTurn.then(async () => {
      try {
        for (const [done, feed] of chosen.entries()) {
          if (closing.signal.aborted) break
          progress = { feed: feed.id, done, total: chosen.length }
          await updateOne(feed)
          onProgress(done + 1, chosen.length)
        }
      } finally {
        progress = undefined
        await compiler.close()
      }
    })
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  async function refreshDue(): Promise<void> {
    const due = feeds.filter((feed) => dueAt(feed) <= now())
    if (due.length === 0) return
    await updateAll(due, () => undefined)
    if (closing.signal.aborted) return
    // Each outage is told once, not with every attempt.
    const failed = due.map(({ id }) => id).filter((id) => failures.get(id)?.count === 1)
    const reasons = failed.map((id) => failures.get(id)?.reason)
    if (failed.length > 0)
      log.warn({ feeds: failed, reasons }, 'feeds could not be updated; the last good ones stay')
    const updated = due.filter(({ id }) => !failures.has(id)).map(({ id }) => id)
    if (updated.length > 0) log.info({ feeds: updated }, 'feeds updated')
  }

  await held.reload()
  return {
    ...held,
    async update(ids = feeds.map(({ id }) => id), onProgress = () => undefined) {
      const unknown = ids.find((id) => !feeds.some((feed) => feed.id === id))
      if (unknown !== undefined) throw new Error(`no feed is named ${unknown}`)
      await updateAll(
        feeds.filter(({ id }) => ids.includes(id)),
        onProgress,
      )
      return held.status().filter(({ feed }) => ids.includes(feed))
    },
    updating: () => progress,
    overview() {
      const statuses = held.status()
      return feeds.flatMap((source, index) => {
        const status = statuses[index]
        return status ? [{ ...status, source, nextAt: dueAt(source) }] : []
      })
    },
    refreshDue,
    start() {
      const failed = (error: unknown) => log.warn({ err: error }, 'feeds could not be kept')
      repeating = [repeat(RELOAD_MS, held.reload, failed), repeat(REFRESH_CHECK_MS, refreshDue, failed)]
    },
    async close() {
      closing.abort()
      await compiler.close()
      await Promise.all(repeating.map((task) => task.stop()))
      await lastTurn
      await dispatcher.destroy()
    },
  }
}
