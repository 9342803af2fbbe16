import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProxyHeader } from './proxy-protocol.ts'

const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

function v2(command: number, family: number, content: Buffer): Buffer {
  const head = Buffer.from([command, family, content.length >> 8, content.length & 0xff])
  return Buffer.concat([V2_START, head, content])
}

const V4 = Buffer.from('c0000207cb00710563d601bb', 'hex')
const V6 = Buffer.from('20010db8000000000000000000000007'.repeat(2).concat('63d601bb'), 'hex')
const TLV = Buffer.from('0300041234567804000100', 'hex')

const HEADERS: [string, Buffer, { address: string; port: number } | undefined][] = [
  [
    'v1, IPv4',
    text('PROXY TCP4 192.0.2.7 203.0.113.5 25558 443\r\n'),
    { address: '192.0.2.7', port: 25_558 },
  ],
  ['v1, IPv6', text('PROXY TCP6 2001:DB8::7 ::1 25558 443\r\n'), { address: '2001:db8::7', port: 25_558 }],
  ['v1, mapped', text('PROXY TCP6 ::ffff:192.0.2.7 ::1 1 443\r\n'), { address: '192.0.2.7', port: 1 }],
  ['v1, unknown', text('PROXY UNKNOWN\r\n'), undefined],
  ['v1, unknown with words', text('PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n'), undefined],
  ['v2, IPv4', v2(0x21, 0x11, V4), { address: '192.0.2.7', port: 25_558 }],
  ['v2, IPv6', v2(0x21, 0x21, V6), { address: '2001:db8::7', port: 25_558 }],
  ['v2, IPv4 with TLVs', v2(0x21, 0x11, Buffer.concat([V4, TLV])), { address: '192.0.2.7', port: 25_558 }],
  ['v2, local', v2(0x20, 0x00, Buffer.alloc(0)), undefined],
  ['v2, local with addresses', v2(0x20, 0x11, V4), undefined],
  ['v2, Unix socket', v2(0x21, 0x31, Buffer.alloc(216)), undefined],
]

function text(line: string): Buffer {
  return Buffer.from(line, 'latin1')
}

describe('readProxyHeader', () => {
  test.each(HEADERS)(
    '%s: has the source, and no byte after the header is consumed',
    (_name, header, source) => {
      const bytes = Buffer.concat([header, text('GET / HTTP/1.1\r\n\r\n')])
      expect(readProxyHeader(bytes)).toEqual({ state: 'done', value: { source, bytes: header.length } })
    },
  )

  test.each(HEADERS)('%s: cut anywhere it asks for what is still to come', (_name, header) => {
    for (let length = 0; length < header.length; length++) {
      const reading = readProxyHeader(header.subarray(0, length))
      if (reading.state !== 'more') throw new Error(`${reading.state} after ${length} bytes`)
      expect(reading.needBytes).toBeGreaterThan(length)
      expect(reading.needBytes).toBeLessThanOrEqual(header.length)
    }
  })

  test.each([
    ['a request', text('PUT / HTTP/1.1\r\n')],
    ['WebDAV', text('PROPFIND / HTTP/1.1\r\n')],
    ['TLS', Buffer.from([22, 3, 1])],
    ['an empty line first', text('\r\nGET / HTTP/1.1\r\n')],
  ])('%s is no header', (_name, bytes) => {
    expect(readProxyHeader(bytes)).toEqual({ state: 'foreign' })
  })

  test.each([
    ['a name for an address', text('PROXY TCP4 localhost 127.0.0.1 1 2\r\n')],
    ['the other family', text('PROXY TCP4 ::1 ::1 1 2\r\n')],
    ['an octet above 255', text('PROXY TCP4 192.0.2.256 127.0.0.1 1 2\r\n')],
    ['a port above 65535', text('PROXY TCP4 192.0.2.7 127.0.0.1 65536 2\r\n')],
    ['a port with a sign', text('PROXY TCP4 192.0.2.7 127.0.0.1 +1 2\r\n')],
    ['a missing port', text('PROXY TCP4 192.0.2.7 127.0.0.1 1\r\n')],
    ['one word too many', text('PROXY TCP4 192.0.2.7 127.0.0.1 1 2 3\r\n')],
    ['another protocol', text('PROXY UDP4 192.0.2.7 127.0.0.1 1 2\r\n')],
    ['a line that is too long', text(`PROXY UNKNOWN ${'x'.repeat(100)}\r\n`)],
    ['a line without end', text(`PROXY ${'x'.repeat(200)}`)],
    ['v2 of another version', v2(0x11, 0x11, V4)],
    ['an unknown v2 command', v2(0x22, 0x11, V4)],
    ['an unknown v2 family', v2(0x21, 0x41, V4)],
    ['truncated v2 addresses', v2(0x21, 0x11, V4.subarray(1))],
    ['v2 IPv6 with room for IPv4', v2(0x21, 0x21, V4)],
    ['v2 of more than 4 kB', v2(0x21, 0x11, Buffer.alloc(4_100))],
  ])('%s is malformed', (_name, bytes) => {
    expect(readProxyHeader(bytes)).toEqual({ state: 'done', value: 'malformed' })
  })

  test('no input makes it throw, ask for bytes it already has, or consume more than there is', () => {
    const damaged = fc
      .tuple(fc.constantFrom(...HEADERS), fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }))
      .map(([[, header], changes]) => {
        const bytes = Buffer.from(header)
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
        return bytes
      })
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
    const started = random.map((bytes) => Buffer.concat([V2_START, bytes]))
    const line = random.map((bytes) => Buffer.concat([text('PROXY '), bytes]))
    fc.assert(
      fc.property(fc.oneof(damaged, random, started, line), (bytes) => {
        const reading = readProxyHeader(bytes)
        if (reading.state === 'more') expect(reading.needBytes).toBeGreaterThan(bytes.length)
        if (reading.state === 'done' && reading.value !== 'malformed')
          expect(reading.value.bytes).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 3_000 },
    )
  })
})
