import { createHash, randomUUID } from 'node:crypto'
import { HistoryPage, HistoryRow, IdentificationScored, READINGS } from '@inkling/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sign } from '../../src/deliver/attempt.ts'
import { postSnapshot, startTestServer } from '../running-server.ts'
import { type Received, type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody, readingsOnWire } from './bodies.ts'
import { history, historyPage, identify } from './callers.ts'
import { encryptBody, serverKey } from './encrypt-body.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let receiver: Receiver & { close(): void }
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url] })
})
afterAll(async () => {
  await server.close()
  receiver.close()
})

/** The escaping of 4.1 as a client implements it, without code of the server. */
const escapeAsClient = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)

/** HMAC as RFC 2104 defines it. */
function hmac(key: string, message: Uint8Array): string {
  const sha256 = (...parts: Uint8Array[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  const bytes = Buffer.from(key, 'utf8')
  const block = Buffer.alloc(64)
  ;(bytes.length > 64 ? sha256(bytes) : bytes).copy(block)
  const pad = (value: number) => block.map((byte) => byte ^ value)
  return sha256(pad(0x5c), sha256(pad(0x36), message)).toString('hex')
}

const userHid = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'%+ "\'\\.~2Ff5Aé≠?#&=;@!()*\t\n\0\u007f'), maxLength: 12 }),
  )
  .map((text) => text.replaceAll('/', ''))
  .filter((text) => text !== '' && text !== '.' && text !== '..')

test('4.1 any user_hid without a slash finds exactly its rows when escaped by the rule', async () => {
  /** All values so far: rows of other runs must not be found. */
  const sent = new Map<string, string[]>()
  const send = async (user: string) => {
    const requestId = randomUUID()
    await identify(server, requestId, JSON.stringify({ user_hid: user }))
    sent.set(user, [requestId, ...(sent.get(user) ?? [])])
  }
  await fc.assert(
    fc.asyncProperty(userHid, async (user) => {
      // The likeliest confusions: a row with the escaped form as its text, and one in another case.
      const neighbours = [user, escapeAsClient(user), user.toUpperCase()].filter(
        (text) => !text.includes('/'),
      )
      for (const text of new Set(neighbours)) await send(text)
      const { data, total } = await historyPage(server, `user_hid/${escapeAsClient(user)}?limit=100`)
      const expected = sent.get(user) ?? []
      expect(total).toBe(expected.length)
      expect(data.map(({ request_id }) => request_id).toSorted()).toEqual(expected.slice(0, 100).toSorted())
      for (const row of data) expect(row.user_hid).toBe(user)
    }),
    { numRuns: 200 },
  )
})

test('6 any body signs and verifies', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 4_096 }),
      fc.stringMatching(/^whsec_[0-9a-f]{32}$/),
      (body, secret) => {
        expect(sign(body, secret)).toBe(`sha256=${hmac(secret, body)}`)
      },
    ),
  )
})

/** Events of earlier identifications may still arrive. */
async function deliveryOf(requestId: string): Promise<Received> {
  for (;;) {
    const { received } = receiver
    const found = received.findLast(({ body }) => body.includes(requestId))
    if (found) return found
    await receiver.count(received.length + 1)
  }
}

test('6 any delivered event verifies over its raw bytes, and parses to the same event', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string({ unit: 'binary' })),
      async (user, url) => {
        const requestId = randomUUID()
        await identify(server, requestId, ordinaryBody({ user_hid: user, landing: { url, referrer: url } }))
        const delivery = await deliveryOf(requestId)
        const { body } = delivery
        expect(delivery.headers['x-svc-signature']).toBe(`sha256=${hmac(server.secrets[0] ?? '', body)}`)
        expect(body.toString()).not.toMatch(/[&<>\u2028\u2029]|\n$/)
        const { data } = IdentificationScored.strict().parse(JSON.parse(body.toString()))
        expect([data.request_id, data.user_hid]).toEqual([requestId, user === '' ? null : user])
      },
    ),
    { numRuns: 60 },
  )
})

/** A reading: valid, invalid, missing or rejected. */
const reading = (right: unknown) =>
  fc.oneof(
    fc.constant(right),
    fc.record({ value: fc.jsonValue() }),
    fc.record({ error: fc.constantFrom('unsupported', 'failed', 'timeout', 'other') }),
    fc.constant(undefined),
  )

const ingestBody = fc.record(
  {
    version: fc.oneof(fc.constant(1), fc.jsonValue()),
    session_id: fc.oneof(fc.uuid(), fc.string(), fc.jsonValue()),
    cookie_id: fc.oneof(fc.uuid(), fc.string(), fc.jsonValue()),
    user_hid: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
    landing: fc.oneof(
      fc.record({
        url: fc.oneof(
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc
            .string({ unit: 'binary' })
            .map((text) => `https://shop.example/?gclid=${text}&utm_source=${text}`),
        ),
        referrer: fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })),
      }),
      fc.jsonValue(),
    ),
    readings: fc.oneof(
      fc.record(
        Object.fromEntries(
          Object.keys(READINGS).map((name) => [name, reading(readingsOnWire()[name] ?? { value: null })]),
        ),
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
)

test('2.2 any stored row matches its published schema and has no other key', async () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6())
  const userAgent = fc.string({
    unit: fc.constantFrom(...'Mozila/5.0 (Windows;Linux) Chrome/Safari'),
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(ingestBody, address, userAgent, async (body, ip, agent) => {
      const requestId = randomUUID()
      const headers = { 'x-forwarded-for': ip, 'user-agent': agent }
      const answer = await postSnapshot(server, requestId, JSON.stringify(body), headers)
      expect(answer.status).toBe(200)
      const page = (await history(server, `request_id/${requestId}`)).json()
      const [row] = HistoryPage.extend({ data: HistoryRow.strict().array().length(1) }).parse(page).data
      expect(row?.request_id).toBe(requestId)
    }),
    { numRuns: 250 },
  )
})

test('4.6 no JSON, plain or encrypted, makes ingest fail with a 5xx', async () => {
  const key = await serverKey(server)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.json(), fc.json({ maxDepth: 8, stringUnit: 'binary' })),
      fc.boolean(),
      async (json, sealed) => {
        const requestId = randomUUID()
        const body = sealed ? encryptBody(key, json, requestId) : json
        const { status } = await postSnapshot(server, requestId, body)
        const isObject = /^\s*\{/.test(json)
        expect(status).toBe(isObject ? 200 : 400)
      },
    ),
    { numRuns: 300 },
  )
})

test('4.6 no bytes make ingest fail with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), async (bytes, looksSealed) => {
      const body = looksSealed ? Buffer.concat([Buffer.from([1, 4]), bytes]) : Buffer.from(bytes)
      const { status } = await postSnapshot(server, randomUUID(), new Uint8Array(body))
      expect([200, 400]).toContain(status)
    }),
    { numRuns: 200 },
  )
})
