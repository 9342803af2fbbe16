import { describe, expect, test } from 'vitest'
import { createAddressLimit, limitKeys, SITE_MULTIPLE } from './address-limit.ts'

describe('an address counts under', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['2003:db:17:4:ffff::1', ['2003:db:17:4::/64', '2003:db:17::/56']],
    ['2003:00DB:17:4::', ['2003:db:17:4::/64', '2003:db:17::/56']],
    ['2003:db:17:ff::1', ['2003:db:17:ff::/64', '2003:db:17::/56']],
    ['2003:db:17:100::1', ['2003:db:17:100::/64', '2003:db:17:100::/56']],
    ['fe80::1%eth0', ['fe80::/64', 'fe80::/56']],
    ['::1', ['::/64', '::/56']],
  ])('%s: its line and site', (address, keys) => {
    expect(limitKeys(address)).toEqual(keys)
  })

  test.each([
    ['mapped', '::ffff:203.0.113.7'],
    ['mapped, in hexadecimal digits', '::ffff:cb00:7107'],
    ['translated', '64:ff9b::203.0.113.7'],
    ['translated with a prefix of the network', '64:ff9b:1:fffe::203.0.113.7'],
    ['6to4, any of its networks', '2002:cb00:7107:1234::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:34ff:8ef8'],
  ])('the IPv4 address that it stands for: %s', (_kind, address) => {
    expect(limitKeys(address)).toEqual(['203.0.113.7'])
  })

  test.each(['64:ff9b:2::203.0.113.7', '2001:1::203.0.113.7', '2003::203.0.113.7', '::203.0.113.7'])(
    'its own network where it only looks alike: %s',
    (address) => {
      expect(limitKeys(address)).toHaveLength(2)
    },
  )
})

const limitOf = (points: number) =>
  createAddressLimit({ points, windowSeconds: 60, blockSeconds: 600 }, { name: 'test', pool: undefined })

test('a /64 has the budget of one IPv4 address, however many addresses it sends from', async () => {
  const limit = limitOf(2)
  const permissions = []
  for (let host = 1; host <= 4; host += 1) permissions.push(await limit.take(`2003:db:17:4::${host}`))
  expect(permissions).toEqual(['allowed', 'allowed', 'exceeded', 'blocked'])
  expect(await limit.take('2003:db:17:5::1')).toBe('allowed')
})

test('a /56 has the budget of several, and a neighbour over its own limit uses none of it', async () => {
  const limit = limitOf(1)
  for (let count = 0; count < 20; count += 1) await limit.take('2003:db:17::1')
  const permissions = []
  for (let line = 1; line <= SITE_MULTIPLE + 1; line += 1)
    permissions.push(await limit.take(`2003:db:17:${line}::1`))
  const allowed = Array<string>(SITE_MULTIPLE - 1).fill('allowed')
  expect(permissions).toEqual([...allowed, 'exceeded', 'blocked'])
  expect(await limit.take('2003:db:17:100::1')).toBe('allowed')
})
