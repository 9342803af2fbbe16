import { type ParsedAddress, parseAddress } from '../../lib/parse-address.ts'
import { type AddressRanges, countryAt, decodeRanges, hasAddress } from './address-ranges.ts'
import { type Feed, type FeedKind, type FeedState, type FeedStatus, isStale } from './feed.ts'
import { type FeedFiles, type FeedRecord, sourceOf } from './feed-files.ts'

export interface HeldFeeds {
  /** Always the same object; what it holds follows the feeds. */
  lists: FeedLists
  /** The crawler in whose published ranges the address lies. */
  crawlerOf(address: string): string | undefined
  /** Whether all published ranges of this crawler are there, so that an address outside of them means something. */
  coversCrawler(name: string): boolean
  /** When the ranges that are held were last known to be good; undefined without any. */
  updatedAt(feed: Feed): number | undefined
  status(): FeedStatus[]
  /** For a failure of which the disk takes no note either. */
  noteFailure(feed: Feed, failure: NonNullable<FeedRecord['failure']>): void
  /** Takes over what any process has stored, and drops what is too old. */
  reload(): Promise<void>
}

interface Held {
  stamp: string
  record: FeedRecord | undefined
  ranges: AddressRanges | undefined
}

/** The feeds in memory. Empty until the first `reload`. */
export function holdFeeds(feeds: readonly Feed[], files: FeedFiles, now: () => number): HeldFeeds {
  const held = new Map<string, Held>()

  const updatedAt = ({ id }: Feed): number | undefined => {
    const feed = held.get(id)
    return feed?.ranges && feed.record?.data?.updated_at
  }
  const rangesOf = (feed: Feed): AddressRanges | undefined => {
    const at = updatedAt(feed)
    return at === undefined || isStale(feed, at, now()) ? undefined : held.get(feed.id)?.ranges
  }
  const stateOf = (feed: Feed): FeedState => {
    if (updatedAt(feed) !== undefined && !rangesOf(feed)) return 'stale'
    if (held.get(feed.id)?.record?.failure) return 'failed'
    return rangesOf(feed) ? 'current' : 'missing'
  }
  const lists = feedLists(feeds, rangesOf)
  let crawlers = crawlerRanges(feeds, rangesOf)

  return {
    lists,
    crawlerOf(text) {
      const address = parseAddress(text)
      return address && crawlers.crawlerOf(address)
    },
    coversCrawler: (name) => crawlers.covers(name),
    updatedAt,
    status: () =>
      feeds.map((feed) => ({
        feed: feed.id,
        state: stateOf(feed),
        rows: updatedAt(feed) === undefined ? 0 : (held.get(feed.id)?.record?.data?.rows ?? 0),
        updatedAt: updatedAt(feed),
        failure: held.get(feed.id)?.record?.failure?.reason,
      })),
    noteFailure(feed, failure) {
      const known = held.get(feed.id)
      if (known) held.set(feed.id, { ...known, record: { ...sourceOf(feed), ...known.record, failure } })
    },
    async reload() {
      for (const feed of feeds) {
        const stamp = await files.stamp(feed.id)
        if (held.get(feed.id)?.stamp === stamp) continue
        const { record, bytes } = await files.read(feed)
        held.set(feed.id, { stamp, record, ranges: bytes && decodeRanges(bytes) })
      }
      Object.assign(lists, feedLists(feeds, rangesOf))
      crawlers = crawlerRanges(feeds, rangesOf)
    },
  }
}

/** The lists of one kind together. */
export interface FeedList {
  /** Undefined when no list names the address, and not all of them are there or none has its family. */
  has(address: ParsedAddress): boolean | undefined
  /** The country that a list states for the address, as a relay's does. */
  countryCodeOf(address: ParsedAddress): string | undefined
}

/** A kind of which no list is there is undefined. */
export type FeedLists = Record<
  'tor' | 'privacyRelay' | 'vpn' | 'hosting' | 'mobile' | 'abuser',
  FeedList | undefined
>

/** The ranges of a feed that may be believed now; undefined without. */
export type RangesOf = (feed: Feed) => AddressRanges | undefined

export function feedLists(feeds: readonly Feed[], rangesOf: RangesOf): FeedLists {
  const listOf = (kind: FeedKind) => combine(feeds.filter((feed) => feed.kind === kind).map(rangesOf))
  return {
    tor: listOf('tor'),
    privacyRelay: listOf('privacy_relay'),
    vpn: listOf('vpn'),
    hosting: listOf('hosting'),
    mobile: listOf('mobile'),
    abuser: listOf('abuser'),
  }
}

function combine(declared: readonly (AddressRanges | undefined)[]): FeedList | undefined {
  const present = declared.filter((ranges) => ranges !== undefined)
  if (present.length === 0) return undefined
  const isWhole = present.length === declared.length
  // A list without any IPv6, as that of Tor's exits, leaves it out.
  const otherwise = {
    4: isWhole && present.some(({ ipv4 }) => ipv4.starts.length > 0) ? false : undefined,
    6: isWhole && present.some(({ ipv6 }) => ipv6.starts.length > 0) ? false : undefined,
  }
  return {
    has: (address) => present.some((ranges) => hasAddress(ranges, address)) || otherwise[address.family],
    countryCodeOf(address) {
      for (const ranges of present) {
        const country = countryAt(ranges, address)
        if (country !== undefined) return country
      }
      return undefined
    },
  }
}

export interface CrawlerRanges {
  /** The crawler in whose published ranges the address lies. */
  crawlerOf(address: ParsedAddress): string | undefined
  /** Whether all published ranges of this crawler are there, so that an address outside of them means something. */
  covers(crawler: string): boolean
}

export function crawlerRanges(feeds: readonly Feed[], rangesOf: RangesOf): CrawlerRanges {
  const declared = feeds.filter(({ crawler }) => crawler !== undefined)
  const present = declared.flatMap((feed) => {
    const ranges = rangesOf(feed)
    return ranges ? [{ crawler: feed.crawler, ranges }] : []
  })
  const missing = new Set(declared.filter((feed) => !rangesOf(feed)).map(({ crawler }) => crawler))
  return {
    crawlerOf: (address) => present.find(({ ranges }) => hasAddress(ranges, address))?.crawler,
    covers: (name) => !missing.has(name) && present.some(({ crawler }) => crawler === name),
  }
}
