import { expect, test } from 'vitest'
import { createReadinessProbe } from './readiness.ts'

test('is ready while the database answers, also after an outage', async () => {
  let answer: () => Promise<unknown> = () => Promise.resolve()
  const probe = createReadinessProbe(() => answer())
  expect(await probe.ask()).toBe('ready')
  answer = () => Promise.reject(new Error('gone'))
  expect(await probe.ask()).toBe('the database does not answer')
  answer = () => Promise.resolve()
  expect(await probe.ask()).toBe('ready')
})

test('concurrent questions share one query', async () => {
  let asked = 0
  const probe = createReadinessProbe(() => {
    asked += 1
    return new Promise(() => {})
  }, 1)
  const answers = await Promise.all([probe.ask(), probe.ask(), probe.ask()])
  expect(new Set(answers)).toEqual(new Set(['the database does not answer']))
  expect(asked).toBe(1)
})

test('is not ready once a stop has begun, even for an earlier question', async () => {
  const database = Promise.withResolvers<void>()
  const probe = createReadinessProbe(() => database.promise)
  const before = probe.ask()
  probe.stop()
  database.resolve()
  expect([await before, await probe.ask()]).toEqual(['stopping', 'stopping'])
})
