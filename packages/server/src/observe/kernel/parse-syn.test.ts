import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSyn } from './parse-syn.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** 192.0.2.7 to 198.51.100.1, hop count and protocol as given. */
const ipv4 = (ttl = '40', protocol = '06', length = '003c') =>
  `45 00 ${length} 1c46 4000 ${ttl} ${protocol} 0000 c0000207 c6336401`
const ipv6 = (next = '06', hopLimit = '40') =>
  `60000000 0028 ${next} ${hopLimit} 20010db8000000000000000000000007 20010db8000000000000000000000001`
const tcp = (offset: string, flags: string, window: string, options: string) =>
  `c001 01bb 00000001 00000000 ${offset} ${flags} ${window} 0000 0000 ${options}`

const LINUX = tcp('a0', '02', 'faf0', '020405b4 0402080a0000000100000000 01 03030a')
const WINDOWS = tcp('80', '02', 'faf0', '020405b4 01 030308 01 01 0402')
const APPLE = tcp('b0', '02', 'ffff', '020405b4 01 030306 01 01 080a0000000100000000 0402 0000')

describe('a SYN', () => {
  test.each([
    ['Linux', ipv4() + LINUX, { ttl: 64, window: 64240, options: '2-4-8-1-3', mss: 1460, windowScale: 10 }],
    [
      'Windows',
      ipv4('75') + WINDOWS,
      { ttl: 117, window: 64240, options: '2-1-3-1-1-4', mss: 1460, windowScale: 8 },
    ],
    [
      'macOS and iOS',
      ipv4('3f') + APPLE,
      { ttl: 63, window: 65535, options: '2-1-3-1-1-8-4-0', mss: 1460, windowScale: 6 },
    ],
    [
      'one without options',
      ipv4() + tcp('50', '02', '0400', ''),
      { ttl: 64, window: 1024, options: '', mss: undefined, windowScale: undefined },
    ],
  ])('of %s gives TTL, window, MSS, scale and the order of its options', (_name, hex, facts) => {
    expect(parseSyn(bytes(hex))).toEqual({ raw: hex.replaceAll(' ', ''), ipVersion: 4, ...facts })
  })

  test('over IPv6 gives the hop limit', () => {
    expect(parseSyn(bytes(ipv6() + LINUX))).toMatchObject({ ipVersion: 6, ttl: 64, options: '2-4-8-1-3' })
  })

  test('is found after IPv6 extension headers and IPv4 options', () => {
    const hopByHop = '2c 00 000000000000'
    const fragment = '3c 00 0000 00000001'
    const destination = '33 01 0000000000000000000000000000'
    const authentication = '06 04 0000 00000000 00000000 000000000000000000000000'
    const long = ipv6('00') + hopByHop + fragment + destination + authentication + LINUX
    expect(parseSyn(bytes(long))).toMatchObject({ ipVersion: 6, mss: 1460, options: '2-4-8-1-3' })

    const withOption = `46${ipv4().slice(2)} 94040000 ${LINUX}`
    expect(parseSyn(bytes(withOption))).toMatchObject({ ipVersion: 4, mss: 1460 })
  })

  test('with ECN flags is a SYN, too', () => {
    expect(parseSyn(bytes(ipv4() + LINUX.replace('a0 02', 'a0 c2')))).toMatchObject({ mss: 1460 })
  })

  test('keeps the options before a truncated one', () => {
    const cut = (options: string) => parseSyn(bytes(ipv4() + tcp('60', '02', 'faf0', options)))
    expect(cut('0101 0205')).toMatchObject({ options: '1-1', mss: undefined })
    expect(cut('0402 0800')).toMatchObject({ options: '4' })
    expect(cut('0402 0101')).toMatchObject({ options: '4-1-1' })
    expect(cut('010101 02')).toMatchObject({ options: '1-1-1' })
    expect(cut('0402 00ff')).toMatchObject({ options: '4-0' })
  })

  test('with options of wrong lengths has no MSS and no scale', () => {
    const odd = parseSyn(bytes(ipv4() + tcp('70', '02', 'faf0', '020305 0304 0808 01')))
    expect(odd).toMatchObject({ options: '2-3-1', mss: undefined, windowScale: undefined })
  })
})

describe('anything else', () => {
  test.each([
    ['nothing', ''],
    ['another protocol', ipv4('40', '11') + LINUX],
    ['another IP version', `5${ipv4().slice(1)}${LINUX}`],
    ['an IPv4 header shorter than itself', `44${ipv4().slice(2)}${LINUX}`],
    ['a cut TCP header', ipv4() + LINUX.slice(0, 30)],
    ['cut options', (ipv4() + LINUX).slice(0, -2)],
    ['a TCP header shorter than itself', ipv4() + tcp('40', '02', 'faf0', '')],
    ['a packet without the SYN flag', ipv4() + tcp('50', '10', 'faf0', '')],
    ['a cut IPv6 header', ipv6().slice(0, 60)],
    ['IPv6 with an unknown header', ipv6('3b') + LINUX],
    ['an extension that points past the end', `${ipv6('00')} 06 ff 000000000000 ${LINUX}`],
  ])('%s is nothing', (_name, hex) => {
    expect(parseSyn(bytes(hex))).toBeUndefined()
  })

  test('no input throws, and all facts fit into the packet', () => {
    const start = fc.constantFrom('', ...[ipv4(), ipv6(), ipv6('00'), ipv4() + LINUX].map((hex) => hex))
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (hex, tail) => {
        const packet = Uint8Array.from([...bytes(hex), ...tail])
        const facts = parseSyn(packet)
        if (!facts) return
        expect(Buffer.from(packet).toString('hex').startsWith(facts.raw)).toBe(true)
        expect(facts.options.split('-').length).toBeLessThanOrEqual(40)
        expect(parseSyn(bytes(facts.raw))).toEqual(facts)
      }),
      { numRuns: 20_000, seed: 20_261_101 },
    )
  })

  test('changing any byte of a real packet does not throw', () => {
    const packets = [ipv4() + LINUX, ipv4() + WINDOWS, ipv6() + APPLE].map(bytes)
    for (const packet of packets) {
      for (let at = 0; at < packet.length; at++) {
        for (let value = 0; value < 256; value++) {
          expect(() => parseSyn(packet.with(at, value))).not.toThrow()
        }
      }
    }
  })
})
