import { afterEach, expect, test, vi } from 'vitest'
import { deviceKey } from './device-key.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['a Mac app, where the system would ask for a password', MAC, 0, false],
  ['Safari', `${MAC} Version/26.0 Safari/605.1.15`, 0, true],
  [
    'Firefox',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    0,
    true,
  ],
  ['an app on a tablet', MAC, 5, true],
  ['an app on a phone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605', 5, true],
])('stores a key only where nobody is asked: %s', async (_, userAgent, maxTouchPoints, isStored) => {
  const open = vi.fn(() => {
    throw new Error('no database')
  })
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
  vi.stubGlobal('indexedDB', { open })
  expect(await deviceKey()).toBeUndefined()
  expect(open).toHaveBeenCalledTimes(isStored ? 1 : 0)
})
