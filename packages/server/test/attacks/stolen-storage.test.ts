import { randomUUID } from 'node:crypto'
import { Explanation } from '@inkling/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { erase } from '../../src/store/erasure/erase.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { postSnapshot, startTestServer, type TestServer } from '../running-server.ts'

/** What somebody gets who copied a visitor's cookie, or all of its storage that can be copied: never the visitor. */

const DAY_MS = 86_400_000
const ELSEWHERE = '24.10.7.9'

let nowMs = Date.UTC(2026, 10, 2, 9)
let server: TestServer & { close(): Promise<void> }
let homes = 0
let home = ''
let readings = uniqueDevice()

beforeAll(async () => {
  const settings = { TRUST_PROXY: '127.0.0.1', HISTORY_LIMIT_PER_SECOND: '1000', FOLLOW_UP_SECONDS: '0' }
  server = await startTestServer({ settings, now: () => nowMs })
})
afterAll(() => server.close())
beforeEach(() => {
  home = `91.10.${homes++}.30`
  readings = uniqueDevice()
})

type Sign = (requestId: string, body: string) => Promise<object>

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A browser's key pair, which signs bodies as the agent does. */
async function browserKey(): Promise<Sign> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign'])
  const point = Buffer.from(await crypto.subtle.exportKey('raw', publicKey))
  const key = Buffer.from([2 + ((point[64] ?? 0) & 1), ...point.subarray(1, 33)]).toString('base64')
  return async (requestId, body) => {
    const signed = await crypto.subtle.sign(ALGORITHM, privateKey, Buffer.from(`${requestId}  ${body}`))
    return { key, signature: Buffer.from(signed).toString('base64') }
  }
}

interface Ids {
  device_id: string
  visitor_id: string
  history: string | undefined
}

interface Given {
  address?: string
  cookieId: string
  changed?: object
  sign?: Sign | undefined
}

async function visit({ address = home, cookieId, changed = {}, sign }: Given): Promise<Ids> {
  nowMs += 600_000
  const requestId = randomUUID()
  const plain = ordinaryBody({ cookie_id: cookieId }, { ...readings, ...changed })
  const before = plain.slice(0, -1)
  const proof = sign && (await sign(requestId, before))
  const body = proof ? `${before},"proof":${JSON.stringify(proof)}}` : plain
  expect((await postSnapshot(server, requestId, body, { 'x-forwarded-for': address })).status).toBe(200)
  const { url, keys } = server
  const answer = await fetch(`${url}/api/v1/explanation/${requestId}`, {
    headers: { authorization: `Bearer ${keys.api_key}` },
  })
  const { device_id, visitor_id, decision } = Explanation.parse(await answer.json()).identity
  return { device_id, visitor_id, history: decision?.key_history }
}

/** A visitor who came on three days from home, with cookie and key. */
async function visitor() {
  const own = { cookieId: randomUUID(), sign: await browserKey() }
  let ids = await visit(own)
  for (let day = 0; day < 2; day++) {
    nowMs += DAY_MS
    ids = await visit(own)
  }
  return { own, ids }
}

/** Another machine of the thief. */
const machine = () => ({ ...uniqueDevice(), hardware: { cores: 32, memory_gb: 4, max_touch_points: 0 } })

const thieves: [string, () => Promise<Sign | undefined>][] = [
  ['without a key', () => Promise.resolve(undefined)],
  ['with a key that the thief’s browser made', browserKey],
  [
    'with the visitor’s public key and a wrong signature',
    async () => {
      const sign = await browserKey()
      return (requestId) => sign(requestId, 'another body')
    },
  ],
]

describe.each(thieves)('a copied cookie %s', (_, thiefKey) => {
  test('never brings the visitor, who stays the same with the key and without the cookie', async () => {
    const { own, ids } = await visitor()
    const sign = await thiefKey()
    const other = machine()
    for (const address of [ELSEWHERE, '41.20.7.9', ELSEWHERE]) {
      // With all readings of the visitor, and with those of the thief's machine.
      for (const changed of [{}, other]) {
        const thief = await visit({ address, cookieId: own.cookieId, changed, sign })
        expect(thief.device_id).not.toBe(ids.device_id)
        expect(thief.visitor_id).not.toBe(ids.visitor_id)
        if (changed === other) expect(thief.history).toBe('another_machine')
      }
      expect(await visit(own)).toEqual({ ...ids, history: 'same' })
    }
    const cleared = { ...own, cookieId: randomUUID(), address: '177.30.7.9' }
    expect(await visit(cleared)).toEqual({ ...ids, history: 'on_other_cookie' })
  })
})

test('a signature is worth nothing under another request ID or another body', async () => {
  const { own, ids } = await visitor()
  const captured = await own.sign(randomUUID(), '{"readings":{}')
  const replayed = await visit({ ...own, address: ELSEWHERE, sign: () => Promise.resolve(captured) })
  expect(replayed.device_id).not.toBe(ids.device_id)
  expect(replayed.history).toBe('missing')
})

test('an erased device is forgotten with its key', async () => {
  const { own, ids } = await visitor()
  const domain = await server.store.reads.selectFrom('domains').select('id').executeTakeFirstOrThrow()
  await erase(server.store, domain.id, { type: 'cookie_id', value: own.cookieId })
  const again = await visit({ ...own, cookieId: randomUUID(), address: ELSEWHERE })
  expect(again.history).toBe('first')
  expect(again.device_id).not.toBe(ids.device_id)
})
