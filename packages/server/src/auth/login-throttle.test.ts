import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoginThrottle } from './login-throttle.ts'

test('four passwords are checked at a time, even when two hundred attempts come at the same moment', async () => {
  const throttle = createLoginThrottle(undefined)
  let checks = 0
  const check = async () => {
    checks += 1
    await setImmediate()
    return undefined
  }
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      throttle.attempt(`address ${index}`, `account ${index}`, check).catch(String),
    ),
  )
  expect(checks).toBe(4)
  expect(answers.filter((answer) => answer === 'Error: server is busy')).toHaveLength(196)
})
