import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import {
  allocate,
  attribute,
  authenticated,
  binding,
  isSignedFor,
  message,
  type TurnClient,
  tcpClient,
  UDP_TRANSPORT,
  udpClient,
} from '../../../test/turn-client.ts'
import { temporaryResponder } from '../../../test/turn-responder.ts'
import { freePort } from '../../lib/free-port.ts'
import type { TurnTransport } from '../../visit/network-evidence.ts'
import { createSightingFilter } from './turn-responder.ts'

const REQUEST = '0b7c1d1e-5b3f-4a55-9d6c-0a2b8f4f1c11'
const OTHER_REQUEST = '7d0e6a52-6f0c-4a0b-8a6e-3f8d7f1f2b22'

const CLIENTS = [
  ['udp', udpClient],
  ['tcp', tcpClient],
] as const

const challenged = async (client: TurnClient) => {
  const reply = await client.ask(allocate())
  expect(reply).toMatchObject({ type: 0x0113, code: 401, realm: 'inkling' })
  return { nonce: reply.nonce }
}

describe.each(CLIENTS)('over %s', (transport, connect) => {
  test('a client that answers its challenge is sighted with address and round trip, and refused', async () => {
    const { responder, clock, seen } = await temporaryResponder()
    const client = await connect(responder.port)
    const credential = responder.credentialsFor(REQUEST)
    const challenge = await challenged(client)
    expect(seen).toEqual([])

    clock.monotonicMs += 41.25
    const reply = await client.ask(authenticated(credential, challenge))
    expect(reply).toMatchObject({ type: 0x0113, code: 403 })
    expect(isSignedFor(reply, credential)).toBe(true)
    expect(seen).toEqual([
      {
        requestId: REQUEST,
        sighting: {
          address: '127.0.0.1',
          port: client.port,
          transport,
          roundTripMs: 41.25,
          engine: 'libwebrtc',
        },
      },
    ])
  })

  test('each sighting belongs to the request of its credential', async () => {
    const { responder, seen } = await temporaryResponder()
    const [first, second] = [await connect(responder.port), await connect(responder.port)]
    const [ours, theirs] = [await challenged(first), await challenged(second)]
    await second.ask(authenticated(responder.credentialsFor(OTHER_REQUEST), theirs))
    await first.ask(authenticated(responder.credentialsFor(REQUEST), ours))
    expect(seen.map(({ requestId, sighting: { port } }) => [requestId, port])).toEqual([
      [OTHER_REQUEST, second.port],
      [REQUEST, first.port],
    ])
  })

  test('an answer replayed from another port is refused', async () => {
    const { responder, seen } = await temporaryResponder()
    const [client, thief] = [await connect(responder.port), await connect(responder.port)]
    const answer = authenticated(responder.credentialsFor(REQUEST), await challenged(client))
    expect((await thief.ask(answer)).code).toBe(438)
    expect(seen).toEqual([])
  })

  test('a wrong password, secret, realm or integrity and an expired credential are refused', async () => {
    const { responder, clock, seen } = await temporaryResponder()
    const elsewhere = await temporaryResponder()
    const client = await connect(responder.port)
    const credential = responder.credentialsFor(REQUEST)
    const challenge = await challenged(client)
    const altered = authenticated(credential, challenge)
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1)
    for (const answer of [
      altered,
      authenticated({ ...credential, credential: 'guess' }, challenge),
      authenticated({ ...credential, username: `1999999999:${REQUEST}` }, challenge),
      authenticated(elsewhere.responder.credentialsFor(REQUEST), challenge),
      authenticated(credential, { ...challenge, realm: 'elsewhere' }),
    ])
      expect((await client.ask(answer)).code).toBe(401)

    clock.nowMs += 61_000
    clock.monotonicMs += 61_000
    expect((await client.ask(authenticated(credential, await challenged(client)))).code).toBe(401)
    expect(seen).toEqual([])
  })

  test('a wall clock that jumps ahead does not expire credentials', async () => {
    const { responder, clock, seen } = await temporaryResponder()
    const client = await connect(responder.port)
    const credential = responder.credentialsFor(REQUEST)
    const challenge = await challenged(client)
    clock.nowMs += 86_400_000
    expect((await client.ask(authenticated(credential, challenge))).code).toBe(403)
    expect(seen).toHaveLength(1)
  })

  test('an answer that is late or has an unknown nonce gets a new challenge', async () => {
    const { responder, clock, seen } = await temporaryResponder()
    const client = await connect(responder.port)
    const credential = responder.credentialsFor(REQUEST)
    const challenge = await challenged(client)
    clock.monotonicMs += 10_001
    const late = await client.ask(authenticated(credential, challenge))
    expect(late).toMatchObject({ code: 438, realm: 'inkling' })
    expect((await client.ask(authenticated(credential, { nonce: 'made-up' }))).code).toBe(438)
    expect(seen).toEqual([])
    expect((await client.ask(authenticated(credential, late))).code).toBe(403)
    expect(seen).toHaveLength(1)
  })

  test('an answer without a required attribute is a bad request', async () => {
    const { responder, seen } = await temporaryResponder()
    const client = await connect(responder.port)
    const signature = attribute(0x0008, Buffer.alloc(20))
    const { username } = responder.credentialsFor(REQUEST)
    for (const answer of [
      message(0x0003, UDP_TRANSPORT, signature),
      message(0x0003, UDP_TRANSPORT, attribute(0x0006, username), signature),
    ])
      expect((await client.ask(answer)).code).toBe(400)
    expect(seen).toEqual([])
  })

  test('a Binding request gets the address it came from', async () => {
    const { responder } = await temporaryResponder()
    const client = await connect(responder.port)
    const reply = await client.ask(binding())
    expect(reply.type).toBe(0x0101)
    const mapped = reply.attributes.get(0x0020) ?? Buffer.alloc(8)
    expect(mapped.readUInt16BE(2) ^ 0x2112).toBe(client.port)
    expect((mapped.readUInt32BE(4) ^ 0x2112a442) >>> 0).toBe(0x7f000001)
  })

  test('no response is longer than two and a half times its request', async () => {
    const { responder } = await temporaryResponder()
    const client = await connect(responder.port)
    const credential = responder.credentialsFor(REQUEST)
    const nonce = (await client.ask(allocate())).nonce
    for (const question of [
      binding(),
      allocate(),
      authenticated(credential, { nonce: '' }),
      authenticated({ username: '', credential: '' }, { nonce }),
      authenticated(credential, { nonce }),
    ]) {
      const { bytes } = await client.ask(question)
      expect(bytes.length / question.length).toBeLessThan(2.5)
    }
  })
})

describe('over UDP', () => {
  test('a repeated answer is refused again and sighted once', async () => {
    const { responder, seen } = await temporaryResponder()
    const client = await udpClient(responder.port)
    const answer = authenticated(responder.credentialsFor(REQUEST), await challenged(client))
    expect((await client.ask(answer)).code).toBe(403)
    expect((await client.ask(answer)).code).toBe(403)
    expect(seen).toHaveLength(1)
  })

  test('an answer replayed from another address is refused', async () => {
    const { responder, seen } = await temporaryResponder({ host: '0.0.0.0' })
    const client = await udpClient(responder.port)
    const thief = await udpClient(responder.port, '127.0.0.1', '127.0.0.2')
    const answer = authenticated(responder.credentialsFor(REQUEST), await challenged(client))
    expect((await thief.ask(answer)).code).toBe(438)
    expect(seen).toEqual([])
  })

  test('everything else is ignored', async () => {
    const { responder } = await temporaryResponder()
    const client = await udpClient(responder.port)
    const allocateWithoutTransport = message(0x0003)
    const refresh = message(0x0004, UDP_TRANSPORT)
    const indication = message(0x0016, UDP_TRANSPORT)
    const response = message(0x0101)
    const garbage = [Buffer.alloc(0), Buffer.alloc(1400, 7)]
    for (const bytes of [allocateWithoutTransport, refresh, indication, response, ...garbage])
      client.tell(bytes)
    // Of one socket, and so after all of them.
    const reply = await client.ask(binding())
    expect(client.received()).toBe(reply.bytes.length)
  })

  test('each message is reported with its result', async () => {
    const { responder, messages } = await temporaryResponder()
    const client = await udpClient(responder.port)
    client.tell(Buffer.alloc(20))
    await Promise.all(Array.from({ length: 119 }, () => client.ask(binding())))
    client.tell(binding())
    // Its answer shows that all before it were read.
    await (await udpClient(responder.port, '127.0.0.1', '127.0.0.2')).ask(binding())
    const count = (result: string) => messages.filter((one) => one.result === result).length
    expect([count('ignored'), count('answered'), count('limited')]).toEqual([1, 120, 1])
    expect(new Set(messages.map(({ transport }) => transport))).toEqual(new Set(['udp']))
  })

  test('a source over its limit is ignored, other sources and TCP are not', async () => {
    const { responder, clock } = await temporaryResponder()
    const client = await udpClient(responder.port)
    await Promise.all(Array.from({ length: 120 }, () => client.ask(binding())))
    for (let count = 0; count < 5; count += 1) client.tell(binding())
    // Its answer shows that the five were read before the clock moves.
    await (await udpClient(responder.port, '127.0.0.1', '127.0.0.2')).ask(binding())
    await (await tcpClient(responder.port)).ask(binding())
    clock.monotonicMs += 34
    const { bytes } = await client.ask(binding())
    expect(client.received()).toBe(121 * bytes.length)
  })
})

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe.skipIf(!HAS_IPV6)('on a dual-stack host', () => {
  test.each(CLIENTS)('%s peers are seen under their own family', async (_transport, connect) => {
    const { responder, seen } = await temporaryResponder({ host: '::' })
    const credential = responder.credentialsFor(REQUEST)
    for (const host of ['127.0.0.1', '::1']) {
      const client = await connect(responder.port, host)
      await client.ask(authenticated(credential, await challenged(client)))
    }
    expect(seen.map(({ sighting }) => sighting.address)).toEqual(['127.0.0.1', '::1'])
  })
})

test('a UDP port in use fails the start, and a closed responder leaves nothing open', async () => {
  const port = await freePort('127.0.0.1')
  const taken = createSocket('udp4')
  taken.bind(port, '127.0.0.1')
  await once(taken, 'listening')
  await expect(temporaryResponder({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  taken.close()
  await once(taken, 'close')

  const { responder } = await temporaryResponder({ port })
  const client = await tcpClient(port)
  await expect(temporaryResponder({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await responder.close()
  await client.closed
  await temporaryResponder({ port })
})

const sighting = (requestId: string, transport: TurnTransport, address: string, port = 1) => ({
  requestId,
  sighting: { address, port, transport, roundTripMs: 1, engine: 'other' as const },
})

test('an address is new once per request and transport, whatever its port', () => {
  const isFirst = createSightingFilter()
  expect(isFirst(sighting('a', 'udp', '192.0.2.1'))).toBe(true)
  expect(isFirst(sighting('a', 'udp', '192.0.2.1', 2))).toBe(false)
  expect(isFirst(sighting('a', 'tcp', '192.0.2.1'))).toBe(true)
  expect(isFirst(sighting('a', 'udp', '192.0.2.2'))).toBe(true)
  expect(isFirst(sighting('b', 'udp', '192.0.2.1'))).toBe(true)
})

test('a credential used from many addresses gives at most eight sightings', () => {
  const isFirst = createSightingFilter()
  const results = Array.from({ length: 300 }, (_, host) => isFirst(sighting('a', 'udp', `192.0.2.${host}`)))
  expect(results.filter(Boolean)).toHaveLength(8)
})
