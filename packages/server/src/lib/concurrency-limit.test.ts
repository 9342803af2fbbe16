import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

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
