import { AppError } from '../../lib/errors.ts'
import { auditStore } from '../../store/users/audit.ts'
import type { Handler } from '../handler.ts'
import { presentFeeds } from './present-feeds.ts'

export const updateFeeds: Handler<'updateFeeds'> = async ({ body, caller }, { feeds, store, now, warn }) => {
  const known = feeds.overview().map(({ feed }) => feed)
  const unknown = body.feeds.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new AppError('INK_INVALID_FIELD', 'feeds: no feed has this ID')
  if (feeds.updating()) throw new AppError('INK_FEEDS_UPDATING')
  const target = body.feeds.length === known.length ? 'all' : body.feeds.join(', ')
  await auditStore(store.writes).add({ actor: caller.email, action: 'feeds.update', target }, now())
  // How it goes is read from the list; each feed keeps its own failure.
  feeds.update(body.feeds).catch((error) => warn('feeds could not be updated', error))
  return presentFeeds(feeds)
}
