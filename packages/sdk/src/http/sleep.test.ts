import { expect, test } from 'vitest'
import { realSleep } from './sleep.ts'

test('an aborted sleep ends at once', async () => {
  const caller = new AbortController()
  const sleeping = realSleep(60_000, caller.signal)
  caller.abort()
  await expect(sleeping).rejects.toMatchObject({ code: 'aborted' })
  await expect(realSleep(60_000, caller.signal)).rejects.toMatchObject({ code: 'aborted' })
})
