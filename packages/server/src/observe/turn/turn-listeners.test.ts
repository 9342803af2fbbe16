import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { allocate, attribute, authenticated, binding, message, tcpClient } from '../../../test/turn-client.ts'
import { temporaryResponder } from '../../../test/turn-responder.ts'

// The deadline of a connection comes only where a test calls it.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const connected = async () => {
  const { responder, seen } = await temporaryResponder()
  return { responder, seen, client: await tcpClient(responder.port) }
}

test.each([1, 3, 7, 19, 21])('messages in pieces of %i bytes are read whole', async (size) => {
  const { responder, seen, client } = await connected()
  const askInPieces = async (request: Buffer) => {
    const reply = client.replyTo(request)
    for (let offset = 0; offset < request.length; offset += size)
      await new Promise((resolve) => client.socket.write(request.subarray(offset, offset + size), resolve))
    return reply
  }
  const { nonce } = await askInPieces(allocate())
  const answer = authenticated(responder.credentialsFor('r'), { nonce })
  expect((await askInPieces(answer)).code).toBe(403)
  expect(seen).toHaveLength(1)
})

test('messages that arrive in one segment are answered one by one', async () => {
  const { client } = await connected()
  const [first, second] = [binding(), allocate()]
  const replies = Promise.all([client.replyTo(first), client.replyTo(second)])
  client.tell(Buffer.concat([first, second, binding().subarray(0, 9)]))
  expect((await replies).map(({ type }) => type)).toEqual([0x0101, 0x0113])
})

describe('a connection ends', () => {
  test('after the error response that ends a check', async () => {
    const { responder, client } = await connected()
    const { nonce } = await client.ask(allocate())
    await client.ask(authenticated(responder.credentialsFor('r'), { nonce }))
    await client.closed
  })

  test.each([
    ['at what is not STUN', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['at channel data', Buffer.from('40000004', 'hex')],
    ['at a message that is announced too long', Buffer.from('00030400', 'hex')],
    ['at a message of another method', message(0x0004)],
  ])('%s', async (_name, bytes) => {
    const { client } = await connected()
    client.tell(bytes)
    await client.closed
    expect(client.received()).toBe(0)
  })

  test('after more than four kilobytes', async () => {
    const { client } = await connected()
    const kilobyte = () => message(0x0001, attribute(0x8022, Buffer.alloc(1000)))
    for (let count = 0; count < 4; count += 1) expect((await client.ask(kilobyte())).type).toBe(0x0101)
    client.tell(Buffer.alloc(1))
    await client.closed
  })

  test('fifteen seconds after it was opened', async () => {
    const { client } = await connected()
    expect((await client.ask(binding())).type).toBe(0x0101)
    vi.advanceTimersByTime(14_000)
    expect((await client.ask(binding())).type).toBe(0x0101)
    vi.advanceTimersByTime(1000)
    await client.closed
  })

  test('if its network has 32 connections already', async () => {
    const { responder, client } = await connected()
    const others = await Promise.all(Array.from({ length: 31 }, () => tcpClient(responder.port)))
    await Promise.all(others.map((other) => other.ask(binding())))
    await (await tcpClient(responder.port)).closed
    expect((await client.ask(binding())).type).toBe(0x0101)
  })

  test('and leaves room for another one', async () => {
    const { responder, client } = await connected()
    for (let count = 0; count < 40; count += 1) {
      const other = await tcpClient(responder.port)
      other.tell(Buffer.from('bye\n'))
      await other.closed
    }
    expect((await client.ask(binding())).type).toBe(0x0101)
    expect((await (await tcpClient(responder.port)).ask(binding())).type).toBe(0x0101)
  })
})
