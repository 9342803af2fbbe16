import { randomUUID } from 'node:crypto'
import { SEALED_VERDICT, SEALED_VERDICT_HEADER } from '@inkling/contract'
import { memoryReplayStore, openSealedVerdict } from '@inkling/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVerdictKey, openVerdictKeys } from '../../src/auth/verdict-keys.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { AUTOMATED, ordinaryBody } from '../contract/bodies.ts'
import { from } from '../contract/roomy-settings.ts'
import { numbersFrom } from '../numbers-from.ts'
import { postSnapshot, startTestServer, type TestServer } from '../running-server.ts'

/** A page has its own sealed verdict and those of others, and wants the backend to believe something else. */

const FORGERIES = Number(process.env.SEALED_VERDICT_FORGERIES ?? 4_000)
const DOMAIN = 'shop.example'

let server: TestServer & { close(): Promise<void> }
let keys: Record<string, string>

beforeAll(async () => {
  server = await startTestServer({
    otherDomains: ['other.example', 'plain.example'],
    settings: { TRUST_PROXY: '127.0.0.1', INGEST_LIMIT_PER_MINUTE: '40', FOLLOW_UP_SECONDS: '0' },
  })
  keys = { [DOMAIN]: await switchOn(DOMAIN), 'other.example': await switchOn('other.example') }
})
afterAll(() => server?.close())

/** The server reads keys several times a second. */
async function keysAreRead(): Promise<void> {
  let asked = 0
  for (const name of Object.keys(keys)) {
    const answer = () => {
      asked += 1
      return post(name, randomUUID(), {}, `91.0.9.${asked}`)
    }
    await expect.poll(async () => (await answer()).has(SEALED_VERDICT_HEADER), { timeout: 20_000 }).toBe(true)
  }
}

async function switchOn(name: string): Promise<string> {
  const row = await domainStore(server.store.reads).find(name)
  if (!row) throw new Error('no domain')
  const { key, change } = newVerdictKey(row, server.box, { nowMs: Date.now(), fromMs: 0 })
  await domainStore(server.store.writes).change(row.id, { ...change, sealed_verdicts: 1 })
  return key
}

async function post(name: string, requestId: string, readings = {}, address = '91.0.8.1') {
  const { public_key } = [server.keys, ...server.others].find(({ domain }) => domain === name) ?? server.keys
  const body = ordinaryBody({}, readings)
  const headers = { ...from(address), origin: `https://${name}` }
  const answer = await fetch(`${server.url}/snapshot/${requestId}?publicKey=${public_key}`, {
    method: 'POST',
    headers,
    body,
  })
  expect([answer.status, await answer.json()]).toEqual([200, address])
  return answer.headers
}

const sealed = async (name: string, requestId: string = randomUUID(), readings = {}) =>
  (await post(name, requestId, readings)).get(SEALED_VERDICT_HEADER) ?? ''

const open = (text: unknown, requestId: string, given: object = {}) =>
  openSealedVerdict(text, {
    keys: keys[DOMAIN] ?? '',
    domain: DOMAIN,
    requestId,
    replayStore: memoryReplayStore(),
    ...given,
  })

test('the backend reads what was known, once, and the page sees no difference between visits', async () => {
  await keysAreRead()
  const [good, bad] = [randomUUID(), randomUUID()]
  const clean = await post(DOMAIN, good)
  expect(clean.get('access-control-expose-headers')).toBe(SEALED_VERDICT_HEADER)
  const texts = [
    clean.get(SEALED_VERDICT_HEADER) ?? '',
    await sealed(DOMAIN, bad, AUTOMATED),
    await sealed(DOMAIN, bad, AUTOMATED),
  ]
  const replayStore = memoryReplayStore()
  expect(await open(texts[0], good, { replayStore })).toMatchObject({
    status: 'scored',
    requestId: good,
    score: 0,
    band: 'trusted',
    deviceId: expect.any(String),
    flags: { browser_automation: false },
  })
  expect(await open(texts[0], good, { replayStore })).toMatchObject({ status: 'unverified', reason: 'used' })
  expect(await open(texts[1], bad.toUpperCase())).toMatchObject({
    band: 'dangerous',
    flags: { browser_automation: true },
  })
  expect(await open(texts[2], bad)).toMatchObject({ status: 'unverified', reason: 'repeated' })

  const flood = randomUUID()
  for (let sent = 0; sent < 40; sent += 1) await post(DOMAIN, randomUUID(), {}, '91.0.8.2')
  const limited = (await post(DOMAIN, flood, {}, '91.0.8.2')).get(SEALED_VERDICT_HEADER) ?? ''
  expect(await open(limited, flood)).toMatchObject({ status: 'rate_limited' })
  expect(new Set([...texts, limited].map((text) => text.length)).size).toBe(1)
  expect(new Set([...texts, limited]).size).toBe(4)

  expect(await sealed('plain.example')).toBe('')
  const plain = await postSnapshot(server, randomUUID(), ordinaryBody(), from('91.0.8.3'))
  expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test(`of ${FORGERIES} sealed verdicts that are tampered with, cut, swapped, foreign, expired or repeated none is opened`, async () => {
  await keysAreRead()
  const random = numbersFrom(7)
  const below = (limit: number): number => Math.floor(random() * limit)
  const visits: { id: string; text: string; foreign: string }[] = []
  for (let index = 0; index < 8; index += 1) {
    const id = randomUUID()
    const text = await sealed(DOMAIN, id)
    expect(await open(text, id)).toMatchObject({ status: 'scored' })
    visits.push({ id, text, foreign: await sealed('other.example') })
  }
  const bytesOf = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
  const partsOf = (text: string) => text.split('.').slice(0, 2).join('.')
  const join = (text: string, bytes: Uint8Array) =>
    `${partsOf(text)}.${Buffer.from(bytes).toString('base64url')}`
  const seen = memoryReplayStore()
  for (const { id, text } of visits) await open(text, id, { replayStore: seen })
  const other = keys['other.example'] ?? ''
  const otherId = other.split('_')[1] ?? ''

  const attacks: ((
    visit: (typeof visits)[number],
    next: (typeof visits)[number],
  ) => ReturnType<typeof open>)[] = [
    ({ id, text }) => {
      const bytes = bytesOf(text)
      const at = below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
      return open(join(text, bytes), id)
    },
    ({ id, text }) => {
      const at = below(text.length)
      const replacement = '.-_=+/ 0aZ\n'[below(11)] ?? ''
      const changed = text.slice(0, at) + (text[at] === replacement ? '~' : replacement) + text.slice(at + 1)
      return open(changed, id)
    },
    ({ id, text }) => open(text.slice(0, below(text.length)), id),
    ({ id, text }) => open(join(text, bytesOf(text).subarray(below(40) + 1)), id),
    ({ id, text }) => open(join(text, Buffer.concat([bytesOf(text), Buffer.alloc(below(40) + 1)])), id),
    ({ text }, next) => open(text, next.id),
    ({ id, text }, next) =>
      open(join(text, Buffer.concat([bytesOf(next.text).subarray(0, 12 + below(1_000)), bytesOf(text)])), id),
    ({ id, text }, next) => {
      const tagAt = bytesOf(text).length - SEALED_VERDICT.tagBytes
      const mixed = Buffer.concat([bytesOf(text).subarray(0, tagAt), bytesOf(next.text).subarray(tagAt)])
      return open(join(text, mixed), id)
    },
    ({ id, foreign }) => open(foreign, id, { keys: [keys[DOMAIN] ?? '', other] }),
    ({ id, text }) => open(text, id, { domain: 'other.example' }),
    ({ id, text }) => open(text, id, { keys: other }),
    ({ id, text }) => open(text, id, { keys: `ivk_${text.split('.')[1]}_${other.split('_')[2]}` }),
    ({ id, text }) =>
      open(text.replace(/\.[0-9a-f]{8}\./, `.${otherId}.`), id, { keys: [keys[DOMAIN] ?? '', other] }),
    ({ id, text }) => open(text, id, { now: () => Date.now() + SEALED_VERDICT.lifeMs + below(1e9) }),
    ({ id, text }) => open(text, id, { now: () => Date.now() - 7_200_000 - below(1e9) }),
    ({ id, text }) => open(text, id, { replayStore: seen }),
    ({ id }) => open([undefined, null, 7, {}, [], '', '1..', '..', `1.${otherId}.`][below(9)], id),
  ]
  const statuses: Record<string, number> = {}
  for (let index = 0; index < FORGERIES; index += 1) {
    const [visit, next] = [visits[index % visits.length], visits[(index + 1 + below(6)) % visits.length]]
    const attack = attacks[below(attacks.length)]
    if (!visit || !next || !attack || visit === next) throw new Error('no such visit')
    const { status } = await attack(visit, next)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  expect(statuses).toEqual({ unverified: FORGERIES })
})

test('a new key seals after the overlap, and both open until then', async () => {
  const row = await domainStore(server.store.reads).find('other.example')
  if (!row) throw new Error('no domain')
  const nowMs = Date.now()
  const next = newVerdictKey(row, server.box, { nowMs, fromMs: nowMs + 60_000 })
  const waiting = { ...row, ...next.change } as typeof row
  const keyAt = openVerdictKeys(waiting, server.box)
  const old = keys['other.example']?.split('_')[1]
  expect([keyAt?.(nowMs).id, keyAt?.(nowMs + 60_000).id]).toEqual([old, next.keyId])
  // After a theft.
  const atOnce = newVerdictKey(waiting, server.box, { nowMs, fromMs: nowMs })
  const replaced = openVerdictKeys({ ...waiting, ...atOnce.change } as typeof row, server.box)
  expect([replaced?.(nowMs).id, replaced?.(nowMs + 90_000).id]).toEqual([atOnce.keyId, atOnce.keyId])
  // A third one takes the place of one that waits, and the second one that of the first when it is due.
  const third = newVerdictKey(waiting, server.box, { nowMs: nowMs + 70_000, fromMs: nowMs + 80_000 })
  const later = openVerdictKeys({ ...waiting, ...third.change } as typeof row, server.box)
  expect([later?.(nowMs + 70_000).id, later?.(nowMs + 80_000).id]).toEqual([next.keyId, third.keyId])
})
