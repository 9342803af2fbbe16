import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeTurns } from '../lib/take-turns.ts'
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts'

// No more than these: what other files of this worker left running would go on for ever under a fake clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Records the written batches; each takes 1 ms. */
function group({ inTurn }: Pick<GroupCommitOptions<string>, 'inTurn'> = {}) {
  const batches: string[][] = []
  const { commit, idle } = createGroupCommit<string>(
    async (operations) => {
      batches.push(operations)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return operations.map(() => ({ type: 'recorded' }))
    },
    {
      isRetriedByClient: () => false,
      joinWithinMs: (operation) => (operation.startsWith('deferrable') ? 10 : operation === 'urgent' ? 0 : 2),
      ...(inTurn && { inTurn }),
    },
  )
  return { batches, commit, idle }
}

test('concurrent operations share a batch', async () => {
  const { batches, commit, idle } = group()
  void commit('a')
  await vi.advanceTimersByTimeAsync(1)
  void commit('b')
  void idle()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(batches).toEqual([['a', 'b']])
})

test('operations join a batch until its turn has come', async () => {
  const turns = { inTurn: takeTurns(60_000) }
  const [first, second] = [group(turns), group(turns)]
  void first.commit('urgent')
  void second.commit('urgent')
  await vi.advanceTimersByTimeAsync(0)
  expect([...first.batches, ...second.batches]).toEqual([['urgent']])
  void second.commit('a')
  await vi.advanceTimersByTimeAsync(1)
  expect(second.batches).toEqual([['urgent', 'a']])
})

test('a deferrable operation joins the next other operation', async () => {
  const { batches, commit } = group()
  void commit('deferrable')
  await vi.advanceTimersByTimeAsync(5)
  expect(batches).toEqual([])
  void commit('a')
  await vi.advanceTimersByTimeAsync(3)
  expect(batches).toEqual([['deferrable', 'a']])
})

test('an urgent operation is written at once, with those that waited', async () => {
  const { batches, commit } = group()
  void commit('a')
  void commit('urgent')
  await vi.advanceTimersByTimeAsync(0)
  expect(batches).toEqual([['a', 'urgent']])
})

test('a deferrable operation is written alone when no other comes', async () => {
  const { batches, commit } = group()
  const answer = commit('deferrable')
  await vi.advanceTimersByTimeAsync(12)
  expect(batches).toEqual([['deferrable']])
  expect(await answer).toEqual({ type: 'recorded' })
})

test('a deferrable operation never delays later operations', async () => {
  const { batches, commit } = group()
  void commit('a')
  void commit('deferrable')
  await vi.advanceTimersByTimeAsync(3)
  expect(batches).toEqual([['a', 'deferrable']])
})

test('a full batch is written at once, and the rest after it', async () => {
  const { batches, commit } = group()
  for (let count = 0; count < 130; count++) void commit(`deferrable ${count}`)
  await vi.advanceTimersByTimeAsync(0)
  expect(batches.map(({ length }) => length)).toEqual([128])
  await vi.advanceTimersByTimeAsync(12)
  expect(batches.map(({ length }) => length)).toEqual([128, 2])
})

test('while a batch is written, the next one collects operations until it is done', async () => {
  const { promise: written, resolve: end } = Promise.withResolvers<void>()
  const batches: string[][] = []
  const { commit, idle } = createGroupCommit<string>(
    async (operations) => {
      batches.push(operations)
      await written
      return operations.map(() => ({ type: 'recorded' }))
    },
    { isRetriedByClient: () => false, joinWithinMs: () => 2 },
  )
  for (const name of ['a', 'b', 'c', 'd']) {
    void commit(name)
    await vi.advanceTimersByTimeAsync(3)
  }
  expect(batches).toEqual([['a']])
  end()
  await idle()
  expect(batches).toEqual([['a'], ['b', 'c', 'd']])
})

/** Commits three batches; the first one fails after a delay. Returns how many were tried. */
async function afterFailing(
  durationMs: number,
  isRetriedByClient = true,
): Promise<{ tried: number; answers: string[] }> {
  let tried = 0
  const { commit } = createGroupCommit<number>(
    async (operations) => {
      tried += 1
      if (tried > 1) return operations.map(() => ({ type: 'recorded' }))
      await new Promise((resolve) => setTimeout(resolve, durationMs))
      throw Object.assign(new Error('database is locked'), { code: '5' })
    },
    { isRetriedByClient: () => isRetriedByClient, joinWithinMs: () => 2 },
  )
  // One batch is written; the others wait.
  const commits = Array.from({ length: 300 }, (_, index) =>
    commit(index).then(
      ({ type }) => type,
      (error: Error) => error.message,
    ),
  )
  await vi.advanceTimersByTimeAsync(durationMs + 1_000)
  return { tried, answers: [...new Set(await Promise.all(commits))] }
}

test('after a lock timeout, waiting operations fail without a try', async () => {
  expect(await afterFailing(10_000)).toEqual({ tried: 1, answers: ['database is locked'] })
})

test('after a fast failure, waiting operations are tried', async () => {
  expect(await afterFailing(10)).toEqual({ tried: 3, answers: ['database is locked', 'recorded'] })
})

test('after a lock timeout, operations without a client that retries are tried', async () => {
  expect(await afterFailing(10_000, false)).toEqual({
    tried: 3,
    answers: ['database is locked', 'recorded'],
  })
})
