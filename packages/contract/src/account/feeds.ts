import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const AccountFeed = z
  .object({
    feed: z.string().describe('ID of the feed'),
    url: z.string().describe('URL of the download without user, password and query; of a file its name'),
    kind: z.string().describe('Kind of the listed addresses, such as `tor` or `vpn`'),
    crawler: z.string().nullable().describe('Name of the crawler, for kind `crawler`'),
    terms: z.string().describe('Source and licence of the data'),
    rows: z.int().describe('Entries of the last good download'),
    updated_at: Timestamp.nullable().describe('Last good download; null without one'),
    next_at: Timestamp.describe('Earliest time of the next download'),
    state: z
      .enum(['missing', 'current', 'failed', 'stale'])
      .describe('`failed`: the last download failed; `stale`: too old to be used'),
    failure: z.string().nullable().describe('Reason of the last failure'),
  })
  .describe('A list of addresses that the server updates')
export type AccountFeed = z.infer<typeof AccountFeed>

export const AccountFeeds = z
  .object({
    updating: z
      .object({
        feed: z.string().describe('The feed in progress'),
        done: z.int().describe('Feeds done so far'),
        total: z.int().describe('Feeds in this update'),
      })
      .nullable()
      .describe('The running update; null for none'),
    feeds: z.array(AccountFeed).describe('In the order of updates'),
  })
  .describe('The feeds')
export type AccountFeeds = z.infer<typeof AccountFeeds>

export const FeedChoice = z
  .strictObject({
    feeds: z.array(z.string().min(1).max(40)).min(1).max(1_000).describe('IDs of feeds'),
  })
  .describe('Feeds to fetch now')

export const FEED_OPERATIONS = {
  listFeeds: {
    method: 'GET',
    path: '/account/feeds',
    access: 'health:read',
    summary: 'List the feeds with their state',
    answer: AccountFeeds,
  },
  updateFeeds: {
    method: 'POST',
    path: '/account/feeds/update',
    access: 'owner',
    summary: 'Fetch feeds now',
    description: 'Answers at once. The list of feeds shows the progress.',
    body: FeedChoice,
    answer: AccountFeeds,
    errors: { 409: 'an update is running' },
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
