import { LRUCache } from 'lru-cache'
import { createTokenBuckets } from '../../lib/token-buckets.ts'
import { DIRECTORY_PATH, readKeyDirectory, type SigningKey } from './key-directory.ts'

/** The answer of a directory's server. */
export interface FetchedDirectory {
  status: number
  body: Uint8Array
  cacheControl: string
}

export interface KeyDirectoriesOptions {
  /**
   * One GET, without redirects, never to a private address unless the operator named the URL.
   * @throws when there is no answer within the limits
   */
  fetch(url: string, limits: { timeoutMs: number; maxBytes: number }): Promise<FetchedDirectory>
  /** Whether the catalogue has this origin. Its keys are kept apart, so that strangers cannot displace them. */
  isKnown(origin: string): boolean
  /** Whether none is ever asked. */
  isOff?: boolean
  /** Unix milliseconds. */
  now?: () => number
  monotonicMs?: () => number
}

/** `pending`: being fetched. `unavailable`: it has answered with something else lately, or not at all. */
export type DirectoryLookUp = readonly SigningKey[] | 'pending' | 'unavailable'

export interface KeyDirectories {
  /** Uses memory only, and begins to fetch what is missing or old. */
  lookUp(origin: string): DirectoryLookUp
  /** Resolves once nothing of this origin is being fetched. Never rejects. */
  settled(origin: string): Promise<void>
}

const TIMEOUT_MS = 5_000
const BYTES_MAX = 65_536
const TTL_MS = 60 * 60_000
const TTL_MIN_MS = 5 * 60_000
const TTL_MAX_MS = 24 * 60 * 60_000
const FAILED_TTL_MS = 5 * 60_000
/** For how long an outage of its directory does not disown an operator. */
const STALE_MAX_MS = 24 * 60 * 60_000
const FETCHES_MAX = 16
/** Anybody may name any origin in a header, and must not have this server ask hosts at their pace. */
const UNKNOWN_PER_MINUTE = 30
const UNKNOWN_ORIGINS_MAX = 2_000

interface Entry {
  keys: readonly SigningKey[]
  fetchedAtMs: number
  dueAtMs: number
}

/** The key directories of agents' operators, fetched in the background and kept in memory. */
export function createKeyDirectories(options: KeyDirectoriesOptions): KeyDirectories {
  const { fetch, isKnown, isOff = false, now = Date.now, monotonicMs = () => performance.now() } = options
  const known = new Map<string, Entry>()
  const others = new LRUCache<string, Entry>({ max: UNKNOWN_ORIGINS_MAX })
  const failed = new LRUCache<string, number>({ max: UNKNOWN_ORIGINS_MAX })
  const fetching = new Map<string, Promise<void>>()
  const mayAsk = createTokenBuckets({
    burst: UNKNOWN_PER_MINUTE,
    perSecond: UNKNOWN_PER_MINUTE / 60,
    monotonicMs,
  })
  const entries = (origin: string) => (isKnown(origin) ? known : others)

  async function refresh(origin: string): Promise<void> {
    try {
      const { status, body, cacheControl } = await fetch(origin + DIRECTORY_PATH, {
        timeoutMs: TIMEOUT_MS,
        maxBytes: BYTES_MAX,
      })
      if (status !== 200) throw new Error(`answers ${status}`)
      const keys = readKeyDirectory(Buffer.from(body).toString())
      const fetchedAtMs = now()
      entries(origin).set(origin, { keys, fetchedAtMs, dueAtMs: fetchedAtMs + ttlMs(cacheControl) })
      failed.delete(origin)
    } catch {
      // What went wrong is the other side's: the refusal says that there was no directory.
      failed.set(origin, now() + FAILED_TTL_MS)
    } finally {
      fetching.delete(origin)
    }
  }

  /** Whether a fetch is under way now. */
  function begin(origin: string): boolean {
    if (isOff) return false
    if (fetching.has(origin)) return true
    if ((failed.get(origin) ?? 0) > now() || fetching.size >= FETCHES_MAX) return false
    if (!isKnown(origin) && !mayAsk('unknown')) return false
    fetching.set(origin, refresh(origin))
    return true
  }

  return {
    lookUp(origin) {
      const entry = entries(origin).get(origin)
      if (entry && now() < entry.dueAtMs) return entry.keys
      const isPending = begin(origin)
      if (entry && now() - entry.fetchedAtMs < STALE_MAX_MS) return entry.keys
      return isPending ? 'pending' : 'unavailable'
    },
    settled: (origin) => fetching.get(origin) ?? Promise.resolve(),
  }
}

/** How long the directory's server allows it to be kept, within our limits. */
function ttlMs(cacheControl: string): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  if (seconds === undefined) return TTL_MS
  return Math.min(TTL_MAX_MS, Math.max(TTL_MIN_MS, Number(seconds) * 1_000))
}
