import { afterEach, expect, test, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

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
