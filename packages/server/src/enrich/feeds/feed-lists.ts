import type { ParsedAddress } from '../../lib/parse-address.ts'
import { type AddressRanges, countryAt, hasAddress } from './address-ranges.ts'
import type { Feed, FeedKind } from './feed.ts'

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
