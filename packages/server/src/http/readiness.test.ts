import { expect, test } from 'vitest'
import { createReadinessProbe } from './readiness.ts'

test('is ready while the database answers, also after an outage', async () => {
  let answer: () => Promise<unknown> = () => Promise.resolve()
  const probe = createReadinessProbe({ probe: () => answer(), read: () => Promise.resolve() })
  expect(await probe.ask()).toBe('ready')
  answer = () => Promise.reject(new Error('gone'))
  expect(await probe.ask()).toBe('the database does not answer')
  answer = () => Promise.resolve()
  expect(await probe.ask()).toBe('ready')
})

test('concurrent questions share one query', async () => {
  let asked = 0
  const probe = createReadinessProbe({
    probe() {
      asked += 1
      return new Promise(() => {})
    },
    read: () => Promise.resolve(),
    answerWithinMs: 1,
  })
  const answers = await Promise.all([probe.ask(), probe.ask(), probe.ask()])
  expect(new Set(answers)).toEqual(new Set(['the database does not answer']))
  expect(asked).toBe(1)
})

test('is not ready once a stop has begun, even for an earlier question', async () => {
  const database = Promise.withResolvers<void>()
  const probe = createReadinessProbe({ probe: () => database.promise, read: () => Promise.resolve() })
  const before = probe.ask()
  probe.stop()
  database.resolve()
  expect([await before, await probe.ask()]).toEqual(['stopping', 'stopping'])
})

test('busy reads are told apart from a database that does not answer, with one question among them', async () => {
  let asked = 0
  const reads = Promise.withResolvers<void>()
  const probe = createReadinessProbe({
    probe: () => Promise.resolve(),
    read() {
      asked += 1
      return reads.promise
    },
    readsWithinMs: 1,
  })
  expect([await probe.ask(), await probe.ask()]).toEqual(Array(2).fill('ready, but reads are busy'))
  expect(asked).toBe(1)
  reads.resolve()
  await expect.poll(() => probe.ask()).toBe('ready')
})
