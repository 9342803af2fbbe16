import { expect, test } from 'vitest'
import { createReadinessProbe } from './readiness.ts'

test('it is ready while the database answers, whatever it answered before', async () => {
  let answer: () => Promise<unknown> = () => Promise.resolve()
  const probe = createReadinessProbe(() => answer())
  expect(await probe.ask()).toBe('ready')
  answer = () => Promise.reject(new Error('gone'))
  expect(await probe.ask()).toBe('the database does not answer')
  answer = () => Promise.resolve()
  expect(await probe.ask()).toBe('ready')
})

test('a database that never answers is asked once for all who ask meanwhile', async () => {
  let asked = 0
  const probe = createReadinessProbe(() => {
    asked += 1
    return new Promise(() => {})
  }, 1)
  const answers = await Promise.all([probe.ask(), probe.ask(), probe.ask()])
  expect(new Set(answers)).toEqual(new Set(['the database does not answer']))
  expect(asked).toBe(1)
})

test('from the beginning of a stop it is not ready, even for who asked before', async () => {
  const database = Promise.withResolvers<void>()
  const probe = createReadinessProbe(() => database.promise)
  const before = probe.ask()
  probe.stop()
  database.resolve()
  expect([await before, await probe.ask()]).toEqual(['stopping', 'stopping'])
})
