import { expect, test } from 'vitest'
import { takeTurns } from './take-turns.ts'

const LONG_MS = 60_000

test('work begins when the work before it has ended, in the order of asking', async () => {
  const inTurn = takeTurns(LONG_MS)
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const work = (name: string, until: Promise<void> = Promise.resolve()) =>
    inTurn(async () => {
      log.push(`${name} begins`)
      await until
      log.push(`${name} ends`)
    })
  const all = [work('a', first.promise), work('b'), work('c')]
  await Promise.resolve()
  expect(log).toEqual(['a begins'])
  first.resolve()
  await Promise.all(all)
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('work that fails gives its turn to the next, and its failure to who asked', async () => {
  const inTurn = takeTurns(LONG_MS)
  const failing = inTurn(() => Promise.reject(new Error('full disk')))
  const next = inTurn(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('full disk')
  expect(await next).toBe('done')
})

test('work that hangs holds nobody up', async () => {
  const inTurn = takeTurns(1)
  void inTurn(() => new Promise(() => {}))
  expect(await inTurn(() => Promise.resolve('done'))).toBe('done')
})
