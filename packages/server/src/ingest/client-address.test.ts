import { describe, expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'

describe('client address', () => {
  const direct = createClientAddress([])
  const behind = createClientAddress(['10.0.0.0/8', 'fd00::/8'])

  test('without trusted proxies the header is ignored', () => {
    expect(direct('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  })

  test('a stranger cannot set its own address', () => {
    expect(behind('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  })

  test('the right-most address that is not a trusted proxy counts, whatever the client wrote to its left', () => {
    expect(behind('10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1')
    expect(behind('fd00::1', '2001:db8::5')).toBe('2001:db8::5')
  })

  test('a mapped IPv4 address is IPv4', () => {
    expect(direct('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9')
    expect(behind('::ffff:10.0.0.1', '::ffff:198.51.100.1')).toBe('198.51.100.1')
  })

  test('a hop that is not an address ends the walk at the last proxy', () => {
    expect(behind('10.0.0.1', 'unknown')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', '198.51.100.1, 1.2.3.4:99')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', '')).toBe('10.0.0.1')
  })

  test('a wrong setting is an error at the start', () => {
    expect(() => createClientAddress(['10.0.0.0/33'])).toThrow('TRUST_PROXY')
    expect(() => createClientAddress(['loopback'])).toThrow('TRUST_PROXY')
  })
})
