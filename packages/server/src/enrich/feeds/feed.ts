import type { ParserName } from './parsers/parsers.ts'

/** What being on the list says of an address. */
export type FeedKind = 'tor' | 'privacy_relay' | 'vpn' | 'hosting' | 'mobile' | 'abuser' | 'crawler'

/** A list of addresses that somebody publishes, and what it must look like to be believed. */
export interface Feed {
  /** Letters, digits and `_`: it names files too. */
  id: string
  /** `https:`, `http:` or `file:`. */
  url: string
  parser: ParserName
  kind: FeedKind
  /** Whose addresses these are, as `crawlerName` spells it; only with kind `crawler`. */
  crawler?: string | undefined
  /** How often it is fetched. */
  cadenceMs: number
  /** Entries, before overlapping ones are merged. */
  minRows: number
  maxRows: number
  /** After decompression. */
  maxBytes: number
  /** Whose data it is and on what terms; kept beside the data. */
  terms: string
}

/**
 * - `missing`: never fetched
 * - `current`: in use, the last attempt went well
 * - `failed`: the last attempt did not; an older good one, if any, is still in use
 * - `stale`: too old to be used
 */
export type FeedState = 'missing' | 'current' | 'failed' | 'stale'

export interface FeedStatus {
  feed: string
  state: FeedState
  /** Entries of the last good one; 0 without one. */
  rows: number
  /** When it was last known to be good, milliseconds. */
  updatedAt: number | undefined
  /** Why the last attempt went wrong. */
  failure: string | undefined
}

/** A feed that was not updated for so many of its periods is no longer believed: its answer is unknown. */
const PERIODS_KEPT = 7

export const isStale = (feed: Feed, updatedAt: number, now: number): boolean =>
  now - updatedAt > PERIODS_KEPT * feed.cadenceMs
