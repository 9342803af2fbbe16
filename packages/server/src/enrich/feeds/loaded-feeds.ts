import { type ParsedAddress, parseAddress } from '../../lib/address.ts'
import { type AddressRanges, countryAt, decodeRanges, hasAddress } from './address-ranges.ts'
import { type Feed, type FeedKind, type FeedState, type FeedStatus, isStale } from './feed.ts'
import { type FeedFiles, type FeedRecord, sourceOf } from './feed-files.ts'

export interface LoadedFeeds {
  /** Always the same object; `reload` updates it in place. */
  lists: FeedLists
  /** The crawler whose published ranges contain the address. */
  crawlerOf(address: string): string | undefined
  /** The agent that fetches for users and whose published ranges contain the address. */
  agentOf(address: string): string | undefined
  /** Whether all published ranges of this crawler are loaded, so that an address outside them is not the crawler. */
  coversCrawler(name: string): boolean
  /** When the source last confirmed the loaded ranges; undefined without any. */
  updatedAt(feed: Feed): number | undefined
  status(): FeedStatus[]
  /** Notes a failure in memory, in case it could not be written to disk either. */
  noteFailure(feed: Feed, failure: NonNullable<FeedRecord['failure']>): void
  /** Loads what any process has stored, and drops lists that are too old. */
  reload(): Promise<void>
}

interface LoadedFeed {
  stamp: string
  record: FeedRecord | undefined
  ranges: AddressRanges | undefined
}

/** The lists in memory. Empty until the first `reload`. */
export function createLoadedFeeds(feeds: readonly Feed[], files: FeedFiles, now: () => number): LoadedFeeds {
  const loaded = new Map<string, LoadedFeed>()

  const updatedAt = ({ id }: Feed): number | undefined => {
    const feed = loaded.get(id)
    return feed?.ranges && feed.record?.data?.updated_at
  }
  const rangesOf = (feed: Feed): AddressRanges | undefined => {
    const at = updatedAt(feed)
    return at === undefined || isStale(feed, at, now()) ? undefined : loaded.get(feed.id)?.ranges
  }
  const stateOf = (feed: Feed): FeedState => {
    if (updatedAt(feed) !== undefined && !rangesOf(feed)) return 'stale'
    if (loaded.get(feed.id)?.record?.failure) return 'failed'
    return rangesOf(feed) ? 'current' : 'missing'
  }
  const lists = feedLists(feeds, rangesOf)
  const rangesOfKind = (kind: FeedKind) =>
    crawlerRanges(
      feeds.filter((feed) => feed.kind === kind),
      rangesOf,
    )
  let crawlers = rangesOfKind('crawler')
  let agents = rangesOfKind('agent')

  return {
    lists,
    crawlerOf(text) {
      const address = parseAddress(text)
      return address && crawlers.crawlerOf(address)
    },
    agentOf(text) {
      const address = parseAddress(text)
      return address && agents.crawlerOf(address)
    },
    coversCrawler: (name) => crawlers.covers(name),
    updatedAt,
    status: () =>
      feeds.map((feed) => ({
        feed: feed.id,
        state: stateOf(feed),
        rows: updatedAt(feed) === undefined ? 0 : (loaded.get(feed.id)?.record?.data?.rows ?? 0),
        updatedAt: updatedAt(feed),
        failure: loaded.get(feed.id)?.record?.failure?.reason,
      })),
    noteFailure(feed, failure) {
      const known = loaded.get(feed.id)
      if (known) loaded.set(feed.id, { ...known, record: { ...sourceOf(feed), ...known.record, failure } })
    },
    async reload() {
      for (const feed of feeds) {
        const stamp = await files.stamp(feed.id)
        if (loaded.get(feed.id)?.stamp === stamp) continue
        const { record, bytes } = await files.read(feed)
        loaded.set(feed.id, { stamp, record, ranges: bytes && decodeRanges(bytes) })
      }
      Object.assign(lists, feedLists(feeds, rangesOf))
      crawlers = rangesOfKind('crawler')
      agents = rangesOfKind('agent')
    },
  }
}

/** All lists of one kind. */
interface FeedList {
  /** Undefined if no list has the address, but some are missing or none has addresses of its family. */
  has(address: ParsedAddress): boolean | undefined
  /** The country of the address in a list, as in a relay's. */
  countryCodeOf(address: ParsedAddress): string | undefined
}

/** Undefined for kinds without any list. */
export type FeedLists = Record<
  'tor' | 'privacyRelay' | 'vpn' | 'hosting' | 'mobile' | 'abuser',
  FeedList | undefined
>

/** The ranges of a feed that are in use; undefined without any. */
type RangesOf = (feed: Feed) => AddressRanges | undefined

function feedLists(feeds: readonly Feed[], rangesOf: RangesOf): FeedLists {
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
  const isComplete = present.length === declared.length
  // A list without any IPv6 address, such as Tor's exits, says nothing about IPv6.
  const offList = {
    4: isComplete && present.some(({ ipv4 }) => ipv4.starts.length > 0) ? false : undefined,
    6: isComplete && present.some(({ ipv6 }) => ipv6.starts.length > 0) ? false : undefined,
  }
  return {
    has: (address) => present.some((ranges) => hasAddress(ranges, address)) || offList[address.family],
    countryCodeOf(address) {
      for (const ranges of present) {
        const country = countryAt(ranges, address)
        if (country !== undefined) return country
      }
      return undefined
    },
  }
}

interface CrawlerRanges {
  /** The crawler in whose published ranges the address lies. */
  crawlerOf(address: ParsedAddress): string | undefined
  /** Whether all published ranges of this crawler are there, so that an address outside of them means something. */
  covers(crawler: string): boolean
}

function crawlerRanges(feeds: readonly Feed[], rangesOf: RangesOf): CrawlerRanges {
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
