import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClientHello } from './client-hello.ts'

const u16 = (value: number): number[] => [value >> 8, value & 0xff]
const list = (bytes: number[]): number[] => [...u16(bytes.length), ...bytes]
const extension = (type: number, content: number[]): number[] => [...u16(type), ...list(content)]
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')]

const BODY = [
  ...u16(0x0303),
  ...Array.from({ length: 32 }, () => 7),
  ...[4, 1, 2, 3, 4],
  ...list([...u16(0x1301), ...u16(0xc02b)]),
  ...[1, 0],
  ...list([
    ...extension(0, list([0, ...list(ascii('shop.example'))])),
    ...extension(16, list([2, ...ascii('h2'), 8, ...ascii('http/1.1')])),
    ...extension(13, list([...u16(0x0403), ...u16(0x0804)])),
    ...extension(43, [4, ...u16(0x0304), ...u16(0x0303)]),
  ]),
]
const MESSAGE = [1, 0, ...u16(BODY.length), ...BODY]
const record = (bytes: readonly number[]): number[] => [22, 3, 1, ...list([...bytes])]
const HELLO = Buffer.from(record(MESSAGE))

const EXPECTED = {
  legacyVersion: 0x0303,
  ciphers: [0x1301, 0xc02b],
  extensions: [0, 16, 13, 43],
  namesServer: true,
  protocols: [Buffer.from('h2'), Buffer.from('http/1.1')],
  groups: [],
  supportedVersions: [0x0304, 0x0303],
  signatureAlgorithms: [0x0403, 0x0804],
}

describe('readClientHello', () => {
  test('lists what a hello offers, in order', () => {
    expect(readClientHello(HELLO)).toEqual({ state: 'done', value: EXPECTED })
  })

  test('a truncated hello asks for more bytes than there are, and never for more than its length', () => {
    for (let length = 0; length < HELLO.length; length++) {
      const reading = readClientHello(HELLO.subarray(0, length))
      if (reading.state !== 'more') throw new Error(`${reading.state} after ${length} bytes`)
      expect(reading.needBytes).toBeGreaterThan(length)
      expect(reading.needBytes).toBeLessThanOrEqual(HELLO.length)
    }
  })

  test('a hello split over several records parses to the same facts', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: MESSAGE.length - 1 }), { maxLength: 15 }),
        (cuts) => {
          const ends = [0, ...cuts.sort((a, b) => a - b), MESSAGE.length]
          const records = ends.slice(1).map((end, index) => record(MESSAGE.slice(ends[index], end)))
          expect(readClientHello(Buffer.from(records.flat()))).toEqual({ state: 'done', value: EXPECTED })
        },
      ),
    )
  })

  test('a hello split into single-byte records is rejected', () => {
    const bytes = Buffer.from(MESSAGE.flatMap((byte) => record([byte])))
    expect(readClientHello(bytes)).toEqual({ state: 'foreign' })
  })

  test.each([
    ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['an alert', Buffer.from([21, 3, 1, 0, 2, 2, 40])],
    ['another handshake message', Buffer.from(record([2, 0, 0, 1, 0]))],
    ['an empty record', Buffer.from([22, 3, 1, 0, 0])],
    ['a record longer than TLS allows', Buffer.from([22, 3, 1, 0x40, 0x01])],
    ['another protocol version', Buffer.from([22, 2, 0, 0, 1])],
    ['a list that ends beyond the message', Buffer.from(record([1, 0, ...u16(36), ...BODY.slice(0, 36)]))],
    ['bytes after the extensions', Buffer.from(record([1, 0, ...u16(BODY.length + 1), ...BODY, 0]))],
  ])('%s is not a hello', (_name, bytes) => {
    expect(readClientHello(bytes)).toEqual({ state: 'foreign' })
  })

  test('a hello without extensions is valid', () => {
    const body = BODY.slice(0, 2 + 32 + 5 + 6 + 2)
    const reading = readClientHello(Buffer.from(record([1, 0, ...u16(body.length), ...body])))
    expect(reading).toMatchObject({ state: 'done', value: { extensions: [], namesServer: false } })
  })

  test('no input makes it throw or ask for bytes it already has', () => {
    const damaged = fc
      .array(fc.tuple(fc.nat(HELLO.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(HELLO)
        for (const [at, byte] of changes) bytes[at] = byte
        return bytes
      })
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    const framed = random.map((bytes) => Buffer.from(record([1, 0, ...u16(bytes.length), ...bytes])))
    fc.assert(
      fc.property(fc.oneof(damaged, random, framed), (bytes) => {
        const reading = readClientHello(bytes)
        if (reading.state === 'more') expect(reading.needBytes).toBeGreaterThan(bytes.length)
      }),
      { numRuns: 3_000 },
    )
  })
})
