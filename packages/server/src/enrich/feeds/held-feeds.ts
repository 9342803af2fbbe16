import { parseAddress } from '../../lib/parse-address.ts'
import type { AddressRanges } from './address-ranges.ts'
import { type Feed, type FeedState, type FeedStatus, isStale } from './feed.ts'
import type { FeedFiles } from './feed-files.ts'
import { crawlerRanges, type FeedLists, feedLists } from './feed-lists.ts'
import { type FeedRecord, sourceOf } from './feed-record.ts'
import { decodeRanges } from './range-file.ts'

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
