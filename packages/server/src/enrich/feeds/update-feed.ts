import type { Baseline } from './compile-feed.ts'
import type { Compiler } from './compiler.ts'
import { type Feed, isStale } from './feed.ts'
import { type FeedFiles, type FeedRecord, type StoredFeed, sourceOf } from './feed-files.ts'
import type { Fetched, Validators } from './fetch-feed.ts'
import { MalformedFeed } from './parsers/feed-parser.ts'

export interface UpdateDeps {
  files: FeedFiles
  compiler: Pick<Compiler, 'compile'>
  /** Throws when the source cannot be reached. */
  fetch(feed: Feed, held: Validators, signal: AbortSignal): Promise<Fetched>
  /** When it fires, the attempt ends and leaves no trace. */
  signal: AbortSignal
  now(): number
}

/**
 * - `updated`: the source confirmed what is held, or gave something new and good
 * - `unreachable`: nothing came; worth another try soon
 * - `rejected`: what came is not to be believed
 */
export type UpdateOutcome = { result: 'updated' } | { result: 'unreachable' | 'rejected'; reason: string }

/** Fetches a feed once and keeps it when it is good; else the last good one stays, and the reason beside it. */
export async function updateFeed(feed: Feed, deps: UpdateDeps): Promise<UpdateOutcome> {
  const stored = await deps.files.read(feed)
  try {
    await fetchAndKeep(feed, stored, deps)
    return { result: 'updated' }
  } catch (error) {
    const reason = reasonOf(error)
    const record = { ...sourceOf(feed), data: stored.record?.data, failure: { at: deps.now(), reason } }
    // A disk that takes no note of it may be the failure itself.
    if (!deps.signal.aborted) await deps.files.write(feed, record).catch(() => undefined)
    return { result: error instanceof MalformedFeed ? 'rejected' : 'unreachable', reason }
  }
}

async function fetchAndKeep(feed: Feed, { record, bytes }: StoredFeed, deps: UpdateDeps): Promise<void> {
  const data = bytes && record?.data
  const held = { etag: data?.etag, lastModified: data?.last_modified }
  const { content, validators } = await deps.fetch(feed, held, deps.signal)
  const updated_at = deps.now()
  if (!content) {
    if (!data) throw new Error('says that nothing changed, to somebody who holds nothing')
    return deps.files.write(feed, { ...sourceOf(feed), data: { ...data, updated_at } })
  }
  const compiled = await deps.compiler.compile(
    feed,
    content,
    bytes && baselineOf(feed, record, bytes, updated_at),
  )
  const { rows, sha256 } = compiled
  const { etag, lastModified: last_modified } = validators
  await deps.files.write(
    feed,
    { ...sourceOf(feed), data: { sha256, rows, updated_at, etag, last_modified } },
    compiled,
  )
}

/** A list too old to be believed is no measure for a new one. */
function baselineOf(
  feed: Feed,
  record: FeedRecord | undefined,
  bytes: Uint8Array,
  now: number,
): Baseline | undefined {
  const updatedAt = record?.data?.updated_at
  if (updatedAt === undefined || isStale(feed, updatedAt, now)) return undefined
  return { bytes, periods: (now - updatedAt) / feed.cadenceMs }
}

/** Connection errors of several addresses come without a message of their own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const RETRY_MS = 15 * 60_000

/** Attempts of this process that failed one after another. */
export interface Failures {
  count: number
  /** When the last one ended. */
  at: number
  result: Exclude<UpdateOutcome['result'], 'updated'>
  reason: string
}

/**
 * When a feed is due. An unreachable source is asked again soon and then ever more seldom; one that sent
 * something wrong has had its turn, and its next list comes a period later. Another process may have done better since.
 */
export function nextAttemptAt(
  { cadenceMs }: Feed,
  updatedAt: number | undefined,
  failures: Failures | undefined,
  /** Part of the period, so that installations do not all ask at the same time. */
  share: number,
): number {
  if (!failures || (updatedAt ?? 0) > failures.at)
    return updatedAt === undefined ? 0 : updatedAt + cadenceMs * share
  const retryMs = failures.result === 'rejected' ? cadenceMs : RETRY_MS * 2 ** (failures.count - 1)
  return failures.at + Math.min(cadenceMs, retryMs) * share
}
