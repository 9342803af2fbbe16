import { expect, test } from 'vitest'
import { ipv4ToNumber, ipv4ToText } from './ipv4-number.ts'

test('every IPv4 address is the same after a trip through the database', () => {
  for (const text of ['0.0.0.1', '127.0.0.1', '192.0.2.255', '255.255.255.255'])
    expect(ipv4ToText(ipv4ToNumber(text) ?? null)).toBe(text)
})

test('what is no IPv4 address has no number, and no number is the empty address', () => {
  for (const text of ['', '::1', '1.2.3', '1.2.3.256', '1.2.3.4.5', '01234.1.1.1', ' 1.2.3.4'])
    expect(ipv4ToNumber(text)).toBeUndefined()
  expect(ipv4ToText(null)).toBe('0.0.0.0')
})
