import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConcurrencyLimit, createRateLimit } from './limits.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const takeMany = async (limit: ReturnType<typeof createRateLimit>, key: string, times: number) => {
  const said: string[] = []
  for (let count = 0; count < times; count += 1) said.push(await limit.take(key))
  return said
}

test('the first request over the limit differs from later ones, and each key has its own count', async () => {
  const limit = createRateLimit(
    { points: 2, windowSeconds: 60, blockSeconds: 600 },
    { name: 'test', pool: undefined },
  )
  expect(await takeMany(limit, 'a', 4)).toEqual(['allowed', 'allowed', 'exceeded', 'blocked'])
  expect(await limit.take('b')).toBe('allowed')
})

test('a block ends when it was due to, however often it was tried meanwhile', async () => {
  const limit = createRateLimit(
    { points: 1, windowSeconds: 60, blockSeconds: 600 },
    { name: 'test', pool: undefined },
  )
  await takeMany(limit, 'a', 2)
  vi.advanceTimersByTime(599_000)
  expect(await limit.take('a')).toBe('blocked')
  vi.advanceTimersByTime(1_001)
  expect(await takeMany(limit, 'a', 2)).toEqual(['allowed', 'exceeded'])
})

test('without a block the next window starts afresh', async () => {
  const limit = createRateLimit(
    { points: 2, windowSeconds: 1, blockSeconds: 0 },
    { name: 'test', pool: undefined },
  )
  expect(await takeMany(limit, 'a', 3)).toEqual(['allowed', 'allowed', 'exceeded'])
  vi.advanceTimersByTime(1_001)
  expect(await limit.take('a')).toBe('allowed')
})

test('work above the bound is refused unstarted, and a place is free again however work ends', async () => {
  const { run, refuseWhenFull } = createConcurrencyLimit(2)
  const held = Promise.withResolvers<string>()
  const failing = Promise.withResolvers<string>()
  const under = [run(() => held.promise), run(() => failing.promise)]
  let started = false
  const start = (): Promise<void> => {
    started = true
    return Promise.resolve()
  }
  await expect(run(start)).rejects.toThrow('server is busy')
  expect(refuseWhenFull).toThrow('server is busy')
  expect(started).toBe(false)

  held.resolve('done')
  failing.reject(new Error('failed'))
  expect((await Promise.allSettled(under)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await Promise.all([run(() => Promise.resolve(1)), run(() => Promise.resolve(2))])).toEqual([1, 2])
})

test('a refused key learns how long its block or its window lasts', async () => {
  const blocked = createRateLimit(
    { points: 1, windowSeconds: 60, blockSeconds: 600 },
    { name: 'test', pool: undefined },
  )
  await takeMany(blocked, 'a', 2)
  expect(await blocked.waitSeconds('a')).toBe(600)
  vi.advanceTimersByTime(599_500)
  await blocked.take('a')
  expect(await blocked.waitSeconds('a')).toBe(1)

  const second = createRateLimit(
    { points: 1, windowSeconds: 1, blockSeconds: 0 },
    { name: 'test', pool: undefined },
  )
  await takeMany(second, 'a', 2)
  expect(await second.waitSeconds('a')).toBe(1)
})
