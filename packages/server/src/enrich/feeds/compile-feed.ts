import { createHash } from 'node:crypto'
import type { AddressRanges } from './address-ranges.ts'
import { churnFault } from './churn.ts'
import { collectRanges } from './collect-ranges.ts'
import type { Feed } from './feed.ts'
import { MalformedFeed } from './malformed-feed.ts'
import { parseCidr } from './parse-cidr.ts'
import type { Entry } from './parsers/entry.ts'
import { PARSERS } from './parsers/parsers.ts'
import { rangeFault } from './range-fault.ts'
import { decodeRanges, encodeRanges } from './range-file.ts'

/** The last good content that new content is held against, as its file has it. */
export interface Baseline {
  bytes: Uint8Array
  /** How many of the feed's periods have passed since. */
  periods: number
}

export interface CompiledFeed {
  rows: number
  /** As `encodeRanges` writes them. */
  bytes: Uint8Array<ArrayBuffer>
  /** Of the bytes, in hex. */
  sha256: string
}

/**
 * Turns what a feed published into ranges.
 * @throws MalformedFeed when it is not to be believed, with the reason
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
    const fault = cidr ? rangeFault(cidr) : 'is no address and no CIDR'
    if (!cidr || fault !== undefined)
      throw new MalformedFeed(`entry ${rows}, ${JSON.stringify(range.slice(0, 50))}, ${fault}`)
    // Only a relay says where its visitors are; a host says where its machines are.
    collector.add(cidr, feed.kind === 'privacy_relay' ? country : undefined)
  }
  return { ranges: collector.finish(), rows }
}

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new MalformedFeed('is no UTF-8 text')
  }
}
