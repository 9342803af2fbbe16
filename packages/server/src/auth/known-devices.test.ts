import { expect, test } from 'vitest'
import { createKnownDevices } from './known-devices.ts'

const devices = createKnownDevices(Buffer.alloc(32, 1))

test('a device is known to the account that it signed in to, and to no other', () => {
  const cookie = devices.issue('ada@shop.example')
  expect(devices.read(cookie, 'ada@shop.example')).toMatch(/^[\w-]{22}$/)
  expect(devices.read(cookie, 'grace@shop.example')).toBeUndefined()
})

test('a cookie that was made up, changed, or issued elsewhere names no device', () => {
  const cookie = devices.issue('ada@shop.example')
  const elsewhere = createKnownDevices(Buffer.alloc(32, 2)).issue('ada@shop.example')
  for (const text of [
    undefined,
    '',
    'x',
    `a${cookie.slice(1)}a`,
    `${'a'.repeat(22)}${cookie.slice(22)}`,
    elsewhere,
  ])
    expect(devices.read(text, 'ada@shop.example')).toBeUndefined()
})
