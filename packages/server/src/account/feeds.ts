import { presentTime } from '@inkling/contract'
import type { AccountFeeds, FEED_OPERATIONS } from '@inkling/contract/account'
import type { Feeds } from '../enrich/feeds/feeds.ts'
import { AppError } from '../lib/errors.ts'
import { withoutSecrets } from '../lib/without-secrets.ts'
import { auditStore } from '../store/users/users.ts'
import type { Handlers } from './handler.ts'

export const feedOperations: Handlers<typeof FEED_OPERATIONS> = {
  listFeeds: (_call, { feeds }) => Promise.resolve(presentFeeds(feeds)),

  updateFeeds: async ({ body, caller }, { feeds, store, now, warn }) => {
    const known = feeds.overview().map(({ feed }) => feed)
    const unknown = body.feeds.find((id) => !known.includes(id))
    if (unknown !== undefined) throw new AppError('INK_INVALID_FIELD', 'feeds: no feed has this ID')
    if (feeds.updating()) throw new AppError('INK_FEEDS_UPDATING')
    const target = body.feeds.length === known.length ? 'all' : body.feeds.join(', ')
    await auditStore(store.writes).add({ actor: caller.email, action: 'feeds.update', target }, now())
    // Not awaited: the list of feeds shows progress and failures.
    feeds.update(body.feeds).catch((error) => warn('feeds could not be updated', error))
    return presentFeeds(feeds)
  },
}

const presentFeeds = (feeds: Pick<Feeds, 'overview' | 'updating'>): AccountFeeds => ({
  updating: feeds.updating() ?? null,
  feeds: feeds.overview().map(({ feed, source, rows, updatedAt, nextAt, state, failure }) => ({
    feed,
    url: withoutSecrets(source.url),
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
