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

afterEach(() => {
  vi.useRealTimers()
})

/** Commits three batches, of which the first fails after a time, and tells how many were tried. */
async function afterFailing(
  durationMs: number,
  canGiveUp = true,
): Promise<{ tried: number; answers: string[] }> {
  vi.useFakeTimers()
  let tried = 0
  const { commit } = createGroupCommit<number>(
    async (operations) => {
      tried += 1
      if (tried > 2) return operations.map(() => ({ type: 'recorded' }))
      await new Promise((resolve) => setTimeout(resolve, durationMs))
      throw Object.assign(new Error('database is locked'), { code: '5' })
    },
    { canGiveUp: () => canGiveUp, canWait: () => false },
  )
  // Two batches may be with the writer; the third waits.
  const commits = Array.from({ length: 300 }, (_, index) =>
    commit(index).then(
      ({ type }) => type,
      (error: Error) => error.message,
    ),
  )
  await vi.runAllTimersAsync()
  return { tried, answers: [...new Set(await Promise.all(commits))] }
}

test('a lock that was waited for in vain is not waited for again by all that came meanwhile', async () => {
  expect(await afterFailing(10_000)).toEqual({ tried: 2, answers: ['database is locked'] })
})

test('a failure that comes at once costs nobody behind it', async () => {
  expect(await afterFailing(10)).toEqual({ tried: 3, answers: ['database is locked', 'recorded'] })
})

test('what nobody asks for again is tried after a lock that was waited for in vain', async () => {
  expect(await afterFailing(10_000, false)).toEqual({
    tried: 3,
    answers: ['database is locked', 'recorded'],
  })
})
