import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type PeekEnd, peek } from './peek.ts'

const LIMITS = { bytesMax: 100, timeoutMs: 60_000 }

const peeked = (socket: PassThrough, look: (bytes: Buffer) => number, limits = LIMITS): Promise<PeekEnd> =>
  new Promise((resolve) => peek(socket, look, limits, resolve))

describe('peek', () => {
  test('leaves all bytes to the next reader, in order', async () => {
    const socket = new PassThrough()
    const end = peeked(socket, (bytes) => (bytes.length < 4 ? 4 : 0))
    for (const chunk of ['a', 'b', 'cd', 'ef']) socket.write(chunk)
    expect(await end).toBe('enough')
    socket.end('gh')
    expect((await buffer(socket)).toString()).toBe('abcdefgh')
  })

  test('inspects only once as many bytes as requested have arrived', async () => {
    const socket = new PassThrough()
    const seen: number[] = []
    const end = peeked(socket, (bytes) => {
      seen.push(bytes.length)
      return bytes.length < 10 ? 10 : 0
    })
    for (let index = 0; index < 10; index++) socket.write('x')
    await end
    expect(seen).toEqual([1, 10])
  })

  test('ends when more bytes are requested than the limit', async () => {
    const socket = new PassThrough()
    const end = peeked(socket, () => 101)
    socket.write('x')
    expect(await end).toBe('too_long')
  })

  test('ends at the timeout and leaves the bytes that have arrived', async () => {
    const socket = new PassThrough()
    socket.write('ab')
    expect(await peeked(socket, () => 3, { bytesMax: 100, timeoutMs: 1 })).toBe('timeout')
    expect(socket.read().toString()).toBe('ab')
  })

  test.each([
    ['ends', (socket: PassThrough) => void socket.end('a')],
    ['is destroyed', (socket: PassThrough) => void socket.destroy()],
  ])('says so when the connection %s', async (_name, finish) => {
    const socket = new PassThrough()
    const end = peeked(socket, () => 3)
    finish(socket)
    expect(await end).toBe('closed')
  })
})
