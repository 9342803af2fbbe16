import { AccountFeeds } from '@inkling/contract/account'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { FEED_SAMPLES, feedServer } from '../../test/feed-server.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import type { Feed } from '../enrich/feeds/feed.ts'
import { createFeeds } from '../enrich/feeds/feeds.ts'
import { createLog } from '../lib/log.ts'

async function shop() {
  const publisher = await feedServer()
  const feed = (id: string): Feed => ({
    id,
    url: publisher.url(`/${id}`),
    parser: 'lines',
    kind: 'tor',
    cadenceMs: 3_600_000,
    minRows: 1,
    maxRows: 1_000,
    maxBytes: 100_000,
    terms: 'ours',
  })
  const feeds = await createFeeds({
    dataDir: await temporaryDirectory(),
    feeds: [feed('one'), feed('two')],
    log: createLog('silent'),
  })
  onTestFinished(() => feeds.close())
  const surface = await accountSurface({ feeds })
  const { ask, tokens } = surface
  return {
    ...surface,
    publisher,
    list: async () =>
      AccountFeeds.strict().parse((await ask({ url: '/account/feeds', token: tokens.analyst })).json()),
    update: (ids: string[], token = tokens.owner) =>
      ask({ method: 'POST', url: '/account/feeds/update', payload: { feeds: ids }, token }),
  }
}

test('a feed has its publisher, terms and state', async () => {
  const { list, publisher } = await shop()
  const { updating, feeds } = await list()
  expect(updating).toBeNull()
  expect(feeds[0]).toEqual({
    feed: 'one',
    url: publisher.url('/one'),
    kind: 'tor',
    crawler: null,
    terms: 'ours',
    rows: 0,
    updated_at: null,
    next_at: expect.any(String),
    state: 'missing',
    failure: null,
  })
})

test('an owner starts an update; its progress can be read, and a failed feed says why', async () => {
  const { list, update, publisher, actions, ask } = await shop()
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  publisher.publish('/one', (_request, response) => {
    asked.resolve()
    void answered.promise.then(() => response.end(FEED_SAMPLES.lines.content))
  })
  expect((await update(['one', 'two'])).json().updating).toEqual({ feed: 'one', done: 0, total: 2 })
  await asked.promise
  expect((await list()).updating).toEqual({ feed: 'one', done: 0, total: 2 })
  expect((await update(['two'])).statusCode).toBe(409)
  answered.resolve()
  await vi.waitUntil(async () => (await list()).updating === null, { timeout: 20_000 })
  expect((await list()).feeds).toMatchObject([
    { feed: 'one', state: 'current', rows: 3, failure: null },
    { feed: 'two', state: 'failed', rows: 0, failure: 'answers 404' },
  ])
  expect((await actions())[0]).toBe('feeds.update')
  const health = (await ask({ url: '/account/health' })).json()
  expect(health.checks).toContainEqual(expect.objectContaining({ check: 'feeds', state: 'warn' }))
})

test('an analyst gets 403, and an unknown feed is an error', async () => {
  const { update, list, tokens } = await shop()
  expect((await update(['one'], tokens.analyst)).statusCode).toBe(403)
  expect((await update(['nothing'])).statusCode).toBe(400)
  expect((await list()).updating).toBeNull()
})
