import { createHash } from 'node:crypto'
import { parseCidr } from '../../lib/cidr.ts'
import { type AddressRanges, decodeRanges, encodeRanges, type Ranges } from './address-ranges.ts'
import { rangeFault } from './cidr.ts'
import { collectRanges } from './collect-ranges.ts'
import type { Feed } from './feed.ts'
import { type Entry, MalformedFeed } from './parsers/feed-parser.ts'
import { PARSERS } from './parsers/parsers.ts'

/** The last good list, with which a new one is compared. */
export interface Baseline {
  bytes: Uint8Array
  /** How many of the feed's periods have passed since then. */
  periods: number
}

export interface CompiledFeed {
  rows: number
  /** Output of `encodeRanges`. */
  bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 of the bytes in hex. */
  sha256: string
}

/**
 * Parses and checks the content of a feed.
 * @throws MalformedFeed with the reason why it is not accepted
 */
export function compileFeed(feed: Feed, content: Uint8Array, baseline?: Baseline): CompiledFeed {
  const { ranges, rows } = readRanges(feed, PARSERS[feed.parser](decode(content)))
  if (rows < feed.minRows)
    throw new MalformedFeed(`has ${rows} entries; at least ${feed.minRows} are expected`)
  const last = baseline && decodeRanges(baseline.bytes)
  const fault = last && churnFault(last, ranges, baseline.periods)
  if (fault !== undefined) throw new MalformedFeed(fault)
  const bytes = encodeRanges(ranges)
  return { rows, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

function readRanges(feed: Feed, entries: Iterable<Entry>): { ranges: AddressRanges; rows: number } {
  const collector = collectRanges()
  let rows = 0
  for (const { range, country } of entries) {
    rows++
    if (rows > feed.maxRows) throw new MalformedFeed(`has more than ${feed.maxRows} entries`)
    const cidr = parseCidr(range)
    const fault = cidr ? rangeFault(cidr) : 'is neither an address nor a CIDR'
    if (!cidr || fault !== undefined)
      throw new MalformedFeed(`entry ${rows}, ${JSON.stringify(range.slice(0, 50))}, ${fault}`)
    // A relay's countries are those of its visitors; all other feeds have the countries of servers.
    collector.add(cidr, feed.kind === 'privacy_relay' ? country : undefined)
  }
  return { ranges: collector.finish(), rows }
}

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new MalformedFeed('is not UTF-8 text')
  }
}

/** The largest share that may change in one period; larger changes are more likely errors. */
const SHARE_MAX = 0.3
/** This many addresses may always change, because a share of a short list is only a few. */
const CHANGED_MIN = 256

/**
 * Describes the change if a list differs too much from the last good one; undefined if it does not. The limit grows
 * with the number of periods. Counts addresses rather than rows, so that splitting a range is no change; in IPv6 it
 * counts /48s, the usual size of a site.
 */
function churnFault(last: AddressRanges, next: AddressRanges, periods: number): string | undefined {
  const families = [
    ['IPv4', ipv4Spans(last.ipv4), ipv4Spans(next.ipv4)],
    ['IPv6', ipv6Spans(last.ipv6), ipv6Spans(next.ipv6)],
  ] as const
  for (const [family, before, after] of families) {
    const known = total(before)
    const changed = known + total(after) - 2 * total(intersect(before, after))
    const changedMax = Math.max(CHANGED_MIN, known * SHARE_MAX * Math.max(1, periods))
    if (known > 0 && changed > changedMax)
      return `${Math.round((100 * changed) / known)} % of its ${family} addresses changed`
  }
  return undefined
}

/** `from` is inclusive, `to` exclusive. */
type Span = [from: number, to: number]

const total = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0)

function ipv4Spans({ starts, ends }: Ranges): Span[] {
  return Array.from(starts, (start, row) => [start, (ends[row] ?? start) + 1])
}

function ipv6Spans({ starts, ends }: Ranges): Span[] {
  const siteAt = (words: Uint32Array, row: number) =>
    (words[row * 4] ?? 0) * 0x1_0000 + ((words[row * 4 + 1] ?? 0) >>> 16)
  const spans: Span[] = []
  for (let row = 0; row < starts.length / 4; row++) {
    const from = Math.max(siteAt(starts, row), spans.at(-1)?.[1] ?? 0)
    const to = siteAt(ends, row) + 1
    if (from < to) spans.push([from, to])
  }
  return spans
}

function intersect(left: readonly Span[], right: readonly Span[]): Span[] {
  const common: Span[] = []
  let leftRow = 0
  let rightRow = 0
  while (leftRow < left.length && rightRow < right.length) {
    const [leftFrom, leftTo] = left[leftRow] as Span
    const [rightFrom, rightTo] = right[rightRow] as Span
    const from = Math.max(leftFrom, rightFrom)
    const to = Math.min(leftTo, rightTo)
    if (from < to) common.push([from, to])
    if (leftTo < rightTo) leftRow++
    else rightRow++
  }
  return common
}
