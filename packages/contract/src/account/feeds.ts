import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const AccountFeed = z
  .object({
    feed: z.string().describe('ID of the feed'),
    url: z.string().describe('Where it is fetched from'),
    kind: z.string().describe('What being on it says of an address, such as `tor` or `vpn`'),
    crawler: z.string().nullable().describe('Whose addresses these are, for kind `crawler`'),
    terms: z.string().describe('Whose data it is and on what terms'),
    rows: z.int().describe('Entries of the last good one'),
    updated_at: Timestamp.nullable().describe('When it was last known to be good; null for never'),
    next_at: Timestamp.describe('When it is fetched again, at the earliest'),
    state: z
      .enum(['missing', 'current', 'failed', 'stale'])
      .describe('`failed`: the last attempt was; `stale`: too old to be used'),
    failure: z.string().nullable().describe('Why the last attempt went wrong'),
  })
  .describe('A list of addresses that is kept fresh')
export type AccountFeed = z.infer<typeof AccountFeed>

export const AccountFeeds = z
  .object({
    updating: z
      .object({
        feed: z.string().describe('The one that is being fetched'),
        done: z.int().describe('Fetched so far'),
        total: z.int().describe('To fetch in this turn'),
      })
      .nullable()
      .describe('The update under way; null for none'),
    feeds: z.array(AccountFeed).describe('In the order in which they are fetched'),
  })
  .describe('The lists of addresses')
export type AccountFeeds = z.infer<typeof AccountFeeds>

export const FeedChoice = z
  .strictObject({
    feeds: z.array(z.string().min(1).max(40)).min(1).max(1_000).describe('IDs of feeds'),
  })
  .describe('Which feeds to fetch now')

export const FEED_OPERATIONS = {
  listFeeds: {
    method: 'GET',
    path: '/account/feeds',
    access: 'analyst',
    summary: 'List the feeds with their state',
    answer: AccountFeeds,
  },
  updateFeeds: {
    method: 'POST',
    path: '/account/feeds/update',
    access: 'owner',
    summary: 'Fetch feeds now',
    description: 'Answers at once; the list of feeds says how far it is.',
    body: FeedChoice,
    answer: AccountFeeds,
    refusals: { 409: 'an update is under way' },
  },
} as const satisfies Record<string, AccountOperation>

const FEEDS: AccountFeeds = {
  updating: null,
  feeds: [
    {
      feed: 'tor_exits',
      url: 'https://check.torproject.org/torbulkexitlist',
      kind: 'tor',
      crawler: null,
      terms: 'The Tor Project, public',
      rows: 1_240,
      updated_at: '2026-10-08T08:00:00.000Z',
      next_at: '2026-10-08T15:41:00.000Z',
      state: 'current',
      failure: null,
    },
  ],
}

export const FEED_EXAMPLES: Examples<typeof FEED_OPERATIONS> = {
  listFeeds: { answer: FEEDS },
  updateFeeds: { body: { feeds: ['tor_exits'] as string[] }, answer: FEEDS },
}
