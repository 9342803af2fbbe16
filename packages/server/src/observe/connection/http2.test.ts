import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pseudoHeaderOrder, readHttp2Preface } from './http2.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

function frame(type: number, stream: number, content: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(content.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

function settings(...entries: [id: number, value: number][]): Buffer {
  const content = Buffer.alloc(entries.length * 6)
  entries.forEach(([id, value], index) => {
    content.writeUInt16BE(id, index * 6)
    content.writeUInt32BE(value, index * 6 + 2)
  })
  return frame(4, 0, content)
}

const SETTINGS = settings([1, 65_536], [2, 0], [4, 6_291_456], [6, 262_144])
const WINDOW_UPDATE = frame(8, 0, Buffer.from([0x00, 0xef, 0x00, 0x01]))
const PRIORITY = frame(2, 3, Buffer.from([0x80, 0, 0, 0, 200]))
const HEADERS = frame(1, 1, Buffer.from([0x82]), 5)

const opening = (...frames: Buffer[]): Buffer => Buffer.concat([PREFACE, ...frames])

describe('readHttp2Preface', () => {
  test.each([
    ['Chromium', [SETTINGS, WINDOW_UPDATE], '1:65536;2:0;4:6291456;6:262144|15663105|0'],
    ['another order', [settings([4, 1], [1, 2]), WINDOW_UPDATE], '4:1;1:2|15663105|0'],
    ['priorities', [SETTINGS, PRIORITY, PRIORITY], '1:65536;2:0;4:6291456;6:262144|00|3:1:0:201,3:1:0:201'],
    ['nothing but SETTINGS', [settings()], '|00|0'],
  ])('%s: is the fingerprint of the frames before the first request', (_name, frames, fingerprint) => {
    expect(readHttp2Preface(opening(...frames, HEADERS))).toMatchObject({
      fingerprint,
      ended: true,
      needBytes: 0,
    })
  })

  test('a truncated preface asks for bytes that are still to come', () => {
    const bytes = opening(SETTINGS, WINDOW_UPDATE)
    for (let length = 0; length < bytes.length; length++) {
      const reading = readHttp2Preface(bytes.subarray(0, length))
      expect(reading.ended).toBe(false)
      if (length >= PREFACE.length) expect(reading.needBytes).toBeGreaterThan(length)
    }
    expect(readHttp2Preface(bytes)).toMatchObject({ ended: false, windowUpdated: true })
  })

  test.each([
    ['no preface', Buffer.from('GET / HTTP/1.1\r\n')],
    ['a request before SETTINGS', opening(HEADERS)],
    ['SETTINGS of an odd length', opening(frame(4, 0, Buffer.alloc(7)))],
    ['SETTINGS on a stream', opening(frame(4, 1, Buffer.alloc(6)))],
    ['SETTINGS without end', opening(frame(4, 0, Buffer.alloc(6 * 40)))],
  ])('%s: there is nothing to tell', (_name, bytes) => {
    expect(readHttp2Preface(bytes)).toMatchObject({ fingerprint: undefined, ended: true })
  })

  test('a flood of frames ends the preface', () => {
    const flood = Array.from({ length: 40 }, () => PRIORITY)
    expect(readHttp2Preface(opening(SETTINGS, ...flood)).ended).toBe(true)
  })

  test('no input makes it throw or ask for bytes it already has', () => {
    const whole = opening(SETTINGS, WINDOW_UPDATE, PRIORITY, HEADERS)
    const damaged = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of changes) bytes[at] = byte
        return bytes
      })
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => opening(Buffer.from(bytes)))
    fc.assert(
      fc.property(fc.oneof(damaged, random), (bytes) => {
        const reading = readHttp2Preface(bytes)
        if (!reading.ended) expect(reading.needBytes).toBeGreaterThan(bytes.length)
      }),
      { numRuns: 3_000 },
    )
  })
})

test('pseudoHeaderOrder lists names only', () => {
  const headers = [':method', 'GET', ':authority', ':path', ':scheme', 'https', ':path', '/', 'accept', '*/*']
  expect(pseudoHeaderOrder(headers)).toBe('m,a,s,p')
  expect(pseudoHeaderOrder(['host', 'shop.example'])).toBe('')
})
