import type { Config } from './config.ts'

/** Where the change feed goes. */
export interface FeedPlace {
  directory: string
  /** The feed pauses while unread files take this much. */
  unreadBytesMax: number
}

/** Undefined where there is no feed. */
export const feedPlace = ({ CHANGE_FEED_DIR, CHANGE_FEED_UNREAD_MB }: Config): FeedPlace | undefined =>
  CHANGE_FEED_DIR === undefined
    ? undefined
    : { directory: CHANGE_FEED_DIR, unreadBytesMax: CHANGE_FEED_UNREAD_MB * 1_000_000 }
