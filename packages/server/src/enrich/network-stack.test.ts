import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { observed, type SynFacts, unavailable } from '../visit/network-evidence.ts'
import { networkStack } from './network-stack.ts'

const LINUX: SynFacts = {
  raw: '',
  ipVersion: 4,
  ttl: 52,
  window: 64_240,
  options: '2-4-8-1-3',
  mss: 1460,
  windowScale: 7,
}
const WINDOWS: SynFacts = { ...LINUX, ttl: 115, options: '2-1-3-1-1-4', windowScale: 8 }
const APPLE: SynFacts = { ...LINUX, window: 65_535, options: '2-1-3-1-1-8-4-0', windowScale: 6 }
const ANDROID: SynFacts = { ...LINUX, window: 65_535, windowScale: 9 }

const stackOf = (syn: SynFacts) => networkStack(observed('kernel', syn))
const hintOf = (syn: Partial<SynFacts>) => stackOf({ ...LINUX, ...syn }).mtuHint

describe('the family of the system', () => {
  test.each([
    ['Linux', LINUX, 'Linux'],
    ['Linux that crossed no router', { ...LINUX, ttl: 64 }, 'Linux'],
    ['Linux without window scaling', { ...LINUX, options: '2-4-8', windowScale: undefined }, 'Linux'],
    ['Linux without timestamps', { ...LINUX, options: '2-1-1-4-1-3' }, 'Linux'],
    ['Linux without SACK', { ...LINUX, options: '2-1-1-8-1-3' }, 'Linux'],
    ['Linux with Fast Open', { ...LINUX, options: '2-4-8-1-3-1-1-34' }, 'Linux'],
    ['Linux with small buffers', { ...LINUX, window: 14_600 }, 'Linux'],
    ['Linux with a clamped MSS', { ...LINUX, mss: 1340 }, 'Linux'],
    ['Android', ANDROID, 'Linux'],
    ['Windows', WINDOWS, 'Windows'],
    ['Windows with timestamps', { ...WINDOWS, options: '2-1-3-4-8' }, 'Windows'],
    ['Windows behind a router that sets every TTL to 64', { ...WINDOWS, ttl: 57 }, 'Windows'],
    ['macOS and iOS', APPLE, 'Apple'],
    ['iOS with multipath TCP', { ...APPLE, options: '2-1-3-1-1-8-4-30-0' }, 'Apple'],
  ])('%s', (_name, syn, os) => {
    expect(stackOf(syn)).toMatchObject({ os, forged: false })
  })

  test.each([
    ['FreeBSD', { ...LINUX, options: '2-1-3-4-8' }],
    ['a system that several write alike', { ...LINUX, options: '2-1-1-4' }],
    ['a scanner without options', { ...LINUX, options: '', mss: undefined }],
    ['a known order with options that its system does not have', { ...LINUX, options: '2-4-8-1-3-99' }],
    ['a known order with one more beginning', { ...LINUX, options: '12-4-8-1-3' }],
  ])('of %s is unknown and not forged', (_name, syn) => {
    expect(stackOf(syn)).toMatchObject({ os: undefined, forged: false })
  })

  test('is unknown without a SYN', () => {
    expect(networkStack(unavailable('behind a proxy'))).toEqual({
      os: undefined,
      forged: false,
      mss: undefined,
      mtu: undefined,
      mtuHint: '',
    })
  })
})

describe('a packet is forged', () => {
  test.each([
    ['Linux that begins at 128', { ...LINUX, ttl: 128 }, true],
    ['Linux that begins at 128, some hops away', { ...LINUX, ttl: 109 }, true],
    ['Android that begins at 128', { ...ANDROID, ttl: 120 }, true],
    ['a Mac that begins at 128', { ...APPLE, ttl: 117 }, true],
    ['a Mac set to 65, which hides a shared phone connection', { ...APPLE, ttl: 65 }, false],
    ['Linux with a TTL that no system begins at', { ...LINUX, ttl: 255 }, false],
    ['Windows with any TTL', { ...WINDOWS, ttl: 64 }, false],
  ])('%s: %j', (_name, syn, forged) => {
    expect(stackOf(syn).forged).toBe(forged)
  })
})

describe('the MTU', () => {
  test('is the MSS plus the headers of its IP version', () => {
    expect(stackOf(LINUX)).toMatchObject({ mss: 1460, mtu: 1500 })
    expect(stackOf({ ...LINUX, ipVersion: 6, mss: 1440, window: 64_800 })).toMatchObject({ mtu: 1500 })
    expect(stackOf({ ...LINUX, mss: undefined })).toMatchObject({ mtu: undefined, mtuHint: '' })
  })

  test.each([
    ['Ethernet', { mss: 1460 }, 'direct'],
    ['Ethernet over IPv6', { ipVersion: 6, mss: 1440, window: 64_800 }, 'direct'],
    ['PPPoE', { mss: 1452, window: 65_340 }, 'pppoe'],
    ['PPPoE whose router clamped it', { mss: 1452 }, 'pppoe'],
    ['PPPoE over IPv6', { ipVersion: 6, mss: 1432 }, 'pppoe'],
    ['DS-Lite', { mss: 1420 }, 'ds_lite'],
    ['6in4', { ipVersion: 6, mss: 1420 }, 'ipv6_tunnel'],
    ['WireGuard on the machine', { mss: 1380, window: 64_860 }, 'vpn_likely'],
    ['WireGuard on the machine, IPv6', { ipVersion: 6, mss: 1360, window: 65_280 }, 'vpn_likely'],
    ['WireGuard on a PPPoE line', { mss: 1372, window: 64_484 }, 'vpn_likely'],
    ['WireGuard under Windows', { ...WINDOWS, mss: 1380 }, 'vpn_likely'],
    ['WireGuard on a phone', { ...ANDROID, mss: 1240 }, 'vpn_likely'],
    ['a router or carrier that clamps to 1380', { mss: 1380 }, 'clamped'],
    ['a router or carrier that clamps to 1340', { mss: 1340 }, 'clamped'],
    ['one that clamps over IPv6', { ipVersion: 6, mss: 1220, window: 64_800 }, 'clamped'],
    ['a phone on a mobile carrier', { ...ANDROID, mss: 1358 }, ''],
    ['an iPhone on a mobile carrier', { ...APPLE, mss: 1390 }, ''],
    ['the least that IPv6 allows', { ...ANDROID, ipVersion: 6, mss: 1220 }, ''],
    ['L2TP, AnyConnect and some carriers', { mss: 1360, window: 65_280 }, ''],
    ['a data centre', { mss: 8961, window: 62_727 }, 'jumbo'],
    ['loopback', { mss: 65_495, window: 65_495 }, 'local'],
    ['loopback over IPv6', { ipVersion: 6, mss: 65_476, window: 65_476 }, 'local'],
    ['an empty MSS', { mss: 0 }, ''],
  ] satisfies [string, Partial<SynFacts>, string][])('of %s', (_name, syn, hint) => {
    expect(hintOf(syn)).toBe(hint)
  })

  test('of a phone is not a VPN, except for three sizes', () => {
    const size = fc.integer({ min: 500, max: 1460 }).filter((mss) => ![1380, 1372, 1240].includes(mss))
    fc.assert(fc.property(size, (mss) => hintOf({ ...ANDROID, mss }) !== 'vpn_likely'))
  })
})

test('a SYN of this machine has no system, because it may be that of a proxy', () => {
  const syn = {
    raw: '',
    ipVersion: 4,
    ttl: 64,
    window: 65_495,
    options: '2-4-8-1-3',
    mss: 65_495,
    windowScale: 7,
  } as const
  expect(networkStack({ available: true, source: 'kernel', value: syn })).toMatchObject({
    os: undefined,
    forged: false,
    mtuHint: 'local',
  })
})
