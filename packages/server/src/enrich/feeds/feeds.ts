import type { Logger } from 'pino'
import { Agent } from 'undici'
import { type RepeatedTask, repeat } from '../../lib/repeat.ts'
import { openCompiler } from './compiler.ts'
import type { Feed, FeedStatus } from './feed.ts'
import { openFeedFiles } from './feed-files.ts'
import { fetchFeed } from './fetch-feed.ts'
import { createLoadedFeeds, type LoadedFeeds } from './loaded-feeds.ts'
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

/** The update in progress. */
export interface FeedProgress {
  /** The feed that is being fetched. */
  feed: string
  done: number
  total: number
}

export interface FeedOverview extends FeedStatus {
  source: Feed
  /** When it is due again, Unix milliseconds. */
  nextAt: number
}

export interface Feeds extends Omit<LoadedFeeds, 'updatedAt' | 'noteFailure'> {
  /**
   * Fetches feeds now, one after another; all of them if `ids` is left out.
   * @throws when no feed has one of the IDs
   */
  update(ids?: readonly string[], onProgress?: (done: number, total: number) => void): Promise<FeedStatus[]>
  /** Undefined if no update is in progress. */
  updating(): FeedProgress | undefined
  overview(): FeedOverview[]
  /** Fetches the feeds that are due. */
  refreshDue(): Promise<void>
  /** Repeats `reload` and `refreshDue` until `close`. */
  start(): void
  close(): Promise<void>
}

/** How often to look for lists that another process has stored. */
const RELOAD_MS = 500
const REFRESH_CHECK_MS = 5_000
const TIMEOUT_MS = 60_000
/** Each feed is fetched again after a random part of its period, at least this one. */
const SHARE_MIN = 0.9

/** Keeps feeds up to date in `dataDir` and in memory. Stored lists are loaded before it returns. */
export async function createFeeds(options: FeedsOptions): Promise<Feeds> {
  const { dataDir, feeds, log, now = Date.now, timeoutMs = TIMEOUT_MS } = options
  const files = openFeedFiles(dataDir)
  const compiler = openCompiler()
  const dispatcher = new Agent()
  const closing = new AbortController()
  const { updatedAt, noteFailure, ...loaded } = createLoadedFeeds(feeds, files, now)
  const failures = new Map<string, Failures>()
  const shares = new Map(feeds.map(({ id }) => [id, SHARE_MIN + (1 - SHARE_MIN) * Math.random()]))
  let repeating: RepeatedTask[] = []
  let lastUpdate: Promise<unknown> = Promise.resolve()
  let progress: FeedProgress | undefined

  const dueAt = (feed: Feed): number => {
    const at = updatedAt(feed)
    // A time in the future was written with a wrong clock.
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
    // An aborted update is not a failure.
    if (closing.signal.aborted) return
    await loaded.reload()
    if (outcome.result === 'updated') {
      failures.delete(feed.id)
      return
    }
    const at = now()
    failures.set(feed.id, { ...outcome, count: (failures.get(feed.id)?.count ?? 0) + 1, at })
    noteFailure(feed, { at, reason: outcome.reason })
  }

  /** One at a time, to limit the load after a start. */
  function updateAll(
    chosen: readonly Feed[],
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const [first] = chosen
    if (first) progress ??= { feed: first.id, done: 0, total: chosen.length }
    const update = lastUpdate.then(async () => {
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
    lastUpdate = update.catch(() => undefined)
    return update
  }

  async function refreshDue(): Promise<void> {
    const due = feeds.filter((feed) => dueAt(feed) <= now())
    if (due.length === 0) return
    await updateAll(due, () => undefined)
    if (closing.signal.aborted) return
    // Log an outage once, not with every attempt.
    const failed = due.map(({ id }) => id).filter((id) => failures.get(id)?.count === 1)
    const reasons = failed.map((id) => failures.get(id)?.reason)
    if (failed.length > 0)
      log.warn({ feeds: failed, reasons }, 'feeds could not be updated; the last good lists stay in use')
    const updated = due.filter(({ id }) => !failures.has(id)).map(({ id }) => id)
    if (updated.length > 0) log.info({ feeds: updated }, 'feeds updated')
  }

  await loaded.reload()
  return {
    ...loaded,
    async update(ids = feeds.map(({ id }) => id), onProgress = () => undefined) {
      const unknown = ids.find((id) => !feeds.some((feed) => feed.id === id))
      if (unknown !== undefined) throw new Error(`no feed is named ${unknown}`)
      await updateAll(
        feeds.filter(({ id }) => ids.includes(id)),
        onProgress,
      )
      return loaded.status().filter(({ feed }) => ids.includes(feed))
    },
    updating: () => progress,
    overview() {
      const statuses = loaded.status()
      return feeds.flatMap((source, index) => {
        const status = statuses[index]
        return status ? [{ ...status, source, nextAt: dueAt(source) }] : []
      })
    },
    refreshDue,
    start() {
      const failed = (error: unknown) => log.warn({ err: error }, 'feeds could not be reloaded or refreshed')
      repeating = [repeat(RELOAD_MS, loaded.reload, failed), repeat(REFRESH_CHECK_MS, refreshDue, failed)]
    },
    async close() {
      closing.abort()
      await compiler.close()
      await Promise.all(repeating.map((task) => task.stop()))
      await lastUpdate
      await dispatcher.destroy()
    },
  }
}
