import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Keeps the batches that were written; each takes 1 ms. */
function group() {
  const batches: string[][] = []
  const { commit, idle } = createGroupCommit<string>(
    async (operations) => {
      batches.push(operations)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return operations.map(() => ({ type: 'recorded' }))
    },
    { canGiveUp: () => false, canWait: (operation) => operation.startsWith('patient') },
  )
  return { batches, commit, idle }
}

test('what comes together goes together', async () => {
  const { batches, commit, idle } = group()
  void commit('a')
  await vi.advanceTimersByTimeAsync(1)
  void commit('b')
  void idle()
  await vi.runAllTimersAsync()
  expect(batches).toEqual([['a', 'b']])
})

test('what nobody waits for goes with the next that somebody waits for', async () => {
  const { batches, commit } = group()
  void commit('patient')
  await vi.advanceTimersByTimeAsync(5)
  expect(batches).toEqual([])
  void commit('a')
  await vi.advanceTimersByTimeAsync(3)
  expect(batches).toEqual([['patient', 'a']])
})

test('and on its own when nothing else comes', async () => {
  const { batches, commit } = group()
  const answer = commit('patient')
  await vi.advanceTimersByTimeAsync(12)
  expect(batches).toEqual([['patient']])
  expect(await answer).toEqual({ type: 'recorded' })
})

test('it never holds up what comes after it', async () => {
  const { batches, commit } = group()
  void commit('a')
  void commit('patient')
  await vi.advanceTimersByTimeAsync(3)
  expect(batches).toEqual([['a', 'patient']])
})

test('a full batch goes at once, and the rest after it', async () => {
  const { batches, commit } = group()
  for (let count = 0; count < 130; count++) void commit(`patient ${count}`)
  await vi.advanceTimersByTimeAsync(0)
  expect(batches.map(({ length }) => length)).toEqual([128])
  await vi.advanceTimersByTimeAsync(12)
  expect(batches.map(({ length }) => length)).toEqual([128, 2])
})

test('while one batch is under way the next may leave, and a third grows until one of them is written', async () => {
  const { promise: written, resolve: end } = Promise.withResolvers<void>()
  const batches: string[][] = []
  const { commit, idle } = createGroupCommit<string>(
    async (operations) => {
      batches.push(operations)
      await written
      return operations.map(() => ({ type: 'recorded' }))
    },
    { canGiveUp: () => false, canWait: () => false },
  )
  for (const name of ['a', 'b', 'c', 'd']) {
    void commit(name)
    await vi.advanceTimersByTimeAsync(3)
  }
  expect(batches).toEqual([['a'], ['b']])
  end()
  await idle()
  expect(batches).toEqual([['a'], ['b'], ['c', 'd']])
})
