import type { Baseline } from './compile-feed.ts'
import type { Compiler } from './compiler.ts'
import { type Feed, isStale } from './feed.ts'
import { type FeedFiles, type FeedRecord, type StoredFeed, sourceOf } from './feed-files.ts'
import type { Fetched, Validators } from './fetch-feed.ts'
import { MalformedFeed } from './parsers/feed-parser.ts'

interface UpdateDeps {
  files: FeedFiles
  compiler: Pick<Compiler, 'compile'>
  /** @throws when the source cannot be reached */
  fetch(feed: Feed, held: Validators, signal: AbortSignal): Promise<Fetched>
  /** Aborts the attempt, which then leaves no trace. */
  signal: AbortSignal
  now(): number
}

/**
 * - `updated`: the source has confirmed the list or sent a new one
 * - `unreachable`: no response; worth a retry soon
 * - `rejected`: the content was not accepted
 */
type UpdateOutcome = { result: 'updated' } | { result: 'unreachable' | 'rejected'; reason: string }

/** Fetches a feed once. On failure the last good list stays in use, and the reason is recorded. */
export async function updateFeed(feed: Feed, deps: UpdateDeps): Promise<UpdateOutcome> {
  const stored = await deps.files.read(feed)
  try {
    await fetchAndKeep(feed, stored, deps)
    return { result: 'updated' }
  } catch (error) {
    const reason = reasonOf(error)
    const record = { ...sourceOf(feed), data: stored.record?.data, failure: { at: deps.now(), reason } }
    // Writing may fail, too: a full disk may be the reason.
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
    if (!data) throw new Error('responds 304 although there is no stored content')
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

/** A new list is not compared with one that is too old to be used. */
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

/** Node's connection errors for hosts with several addresses have no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const RETRY_MS = 15 * 60_000

/** Consecutive failed attempts of this process. */
export interface Failures {
  count: number
  /** When the last one failed, Unix milliseconds. */
  at: number
  result: Exclude<UpdateOutcome['result'], 'updated'>
  reason: string
}

/**
 * When a feed is due. Unreachable sources are retried with exponential backoff; after invalid content the next attempt
 * is a period later. A successful update by another process clears the failures.
 */
export function nextAttemptAt(
  { cadenceMs }: Feed,
  updatedAt: number | undefined,
  failures: Failures | undefined,
  /** Jitter: the part of the period to wait, so that installations do not all fetch at the same time. */
  share: number,
): number {
  if (!failures || (updatedAt ?? 0) > failures.at)
    return updatedAt === undefined ? 0 : updatedAt + cadenceMs * share
  const retryMs = failures.result === 'rejected' ? cadenceMs : RETRY_MS * 2 ** (failures.count - 1)
  return failures.at + Math.min(cadenceMs, retryMs) * share
}
