import type { ParserName } from './parsers/parsers.ts'

/** The default of the setting `FEEDS`: the lists of `public-feeds.ts`. */
export const FEEDS_PUBLIC = 'public'

/** What the list says of its addresses. */
export type FeedKind = 'tor' | 'privacy_relay' | 'vpn' | 'hosting' | 'mobile' | 'abuser' | 'crawler' | 'agent'

/** A published list of addresses, and the limits within which it is accepted. */
export interface Feed {
  /** Letters, digits and `_`, because it is also used as a file name. */
  id: string
  /** `https:`, `http:` or `file:`. */
  url: string
  parser: ParserName
  kind: FeedKind
  /** The crawler of the addresses, named as by `crawlerName`, or the agent, named as in the catalogue. */
  crawler?: string | undefined
  /** How often it is fetched. */
  cadenceMs: number
  /** Number of entries before overlapping ones are merged. */
  minRows: number
  maxRows: number
  /** After decompression. */
  maxBytes: number
  /** Publisher and licence, stored with the data. */
  terms: string
}

/**
 * - `missing`: never fetched
 * - `current`: in use, the last attempt succeeded
 * - `failed`: the last attempt failed; the last good list, if any, is still in use
 * - `stale`: too old to be used
 */
export type FeedState = 'missing' | 'current' | 'failed' | 'stale'

export interface FeedStatus {
  feed: string
  state: FeedState
  /** Entries in the last good list; 0 without one. */
  rows: number
  /** When the source last confirmed the list, Unix milliseconds. */
  updatedAt: number | undefined
  /** Why the last attempt failed. */
  failure: string | undefined
}

/** After this many periods without an update, a list is no longer used. */
const PERIODS_KEPT = 7

export const isStale = (feed: Feed, updatedAt: number, now: number): boolean =>
  now - updatedAt > PERIODS_KEPT * feed.cadenceMs
