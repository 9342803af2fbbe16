import type { AccountFeeds } from '@inkling/contract/account'
import type { Feeds } from '../../enrich/feeds/create-feeds.ts'
import { presentTime } from '../present-time.ts'

export const presentFeeds = (feeds: Pick<Feeds, 'overview' | 'updating'>): AccountFeeds => ({
  updating: feeds.updating() ?? null,
  feeds: feeds.overview().map(({ feed, source, rows, updatedAt, nextAt, state, failure }) => ({
    feed,
    url: source.url,
    kind: source.kind,
    crawler: source.crawler ?? null,
    terms: source.terms,
    rows,
    updated_at: updatedAt === undefined ? null : presentTime(updatedAt),
    next_at: presentTime(nextAt),
    state,
    failure: failure ?? null,
  })),
})
