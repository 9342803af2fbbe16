import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type DomainKeys, registerDomain } from '../../src/auth/register-domain.ts'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { readConfig } from '../../src/composition/config.ts'
import { startServer } from '../../src/composition/start-server.ts'
import { createSeenBodies } from '../../src/ingest/seen-bodies.ts'
import { createTickets, type TicketHolder, type Tickets } from '../../src/ingest/tickets.ts'
import { verifyProof } from '../../src/ingest/verify-proof.ts'
import { createLog } from '../../src/lib/log.ts'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { erase } from '../../src/store/erasure/erase.ts'
import { readVerdict } from '../../src/store/identifications/identification-row.ts'
import { readSnapshot } from '../../src/store/identifications/snapshots.ts'
import type { Store } from '../../src/store/store.ts'
import { NO_CONNECTION_EVIDENCE } from '../../src/visit/network-evidence.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { from, ROOMY_SETTINGS } from '../contract/roomy-settings.ts'
import { askForTicket, closeBody, provenBody } from '../proven-body.ts'
import { postSnapshot, type TestServer } from '../running-server.ts'
import { makeDirectory, type OwnDirectory } from '../temporary-store.ts'
import { databaseSettings, openStoreIn } from '../test-database.ts'

/** Bodies and tickets that somebody else made, sent again to two nodes that share a database. */

const HOUR_MS = 3_600_000
const SETTINGS = {
  ...ROOMY_SETTINGS,
  FOLLOW_UP_SECONDS: '0',
  FEEDS: 'off',
  TURN_PORT: 'off',
  LOG_LEVEL: 'warn',
}

interface Node extends Pick<TestServer, 'url' | 'keys'> {
  close(): Promise<void>
}

let directory: OwnDirectory
let store: Store
let keys: DomainKeys
/** One writes what the other reads. With the embedded database, which has one server at a time, both are the same. */
let first: Node
let second: Node
/** As both nodes make them, from the secrets that they share. */
let verifiers: Tickets[]
let nowMs = Date.UTC(2026, 10, 22, 23, 59, 50)
/** How far the clock of the servers is ahead. */
let sinceStartMs = 0

beforeAll(async () => {
  directory = await makeDirectory()
  store = await openStoreIn(directory.path)
  keys = (await registerDomain(store, 'shop.example', Date.UTC(2026, 0))) as DomainKeys
  first = await startNode()
  second = inject('testPostgres') ? await startNode() : first
  verifiers = []
  for (const _node of [first, second]) {
    const { secret_box_key } = await openServerSecrets(store.secrets)
    verifiers.push(createTickets(secret_box_key, () => nowMs))
  }
})
afterAll(async () => {
  await first.close()
  if (second !== first) await second.close()
  await store.close()
  await directory.remove()
})

async function startNode(): Promise<Node> {
  const database = await databaseSettings(directory.path)
  const own = database.DATABASE_URL === undefined ? directory : await makeDirectory()
  const config = readConfig({ ...SETTINGS, PORT: '0', DATA_DIR: own.path, ...database })
  const { address, close } = await startServer(
    config,
    createLog('warn', 'normal'),
    () => Date.now() + sinceStartMs,
  )
  return {
    url: address,
    keys,
    async close() {
      await close()
      if (own !== directory) await own.remove()
    },
  }
}

/** What the nodes stored of a visit's ticket. */
async function ticketOf(requestId: string) {
  const row = await store.reads
    .selectFrom('identifications')
    .select(['domain_id', 'id', 'verdict'])
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirstOrThrow()
  const text = (await readSnapshot(store, row.domain_id, row.id)) ?? '{}'
  return { ...readVerdict(row.verdict).ticket, proof: JSON.parse(text).proof, text: row.verdict + text }
}

async function send(node: Pick<TestServer, 'url' | 'keys'>, body: string, address: string): Promise<string> {
  const requestId = randomUUID()
  expect((await postSnapshot(node, requestId, body, from(address))).status).toBe(200)
  return requestId
}

const content = () => JSON.parse(ordinaryBody({ duration_ms: 300 + Math.random() }, uniqueDevice())) as object

/** A visit with a ticket from one node, sent to the other. */
async function provenVisit(address = '91.0.0.1', more: object = {}) {
  const requestId = randomUUID()
  const body = await provenBody(first, requestId, { ...content(), ...more }, from(address))
  expect((await postSnapshot(second, requestId, body, from(address))).status).toBe(200)
  return { requestId, body }
}

const holder = (given: Partial<TicketHolder> = {}): TicketHolder => ({
  requestId: randomUUID(),
  domainId: 1,
  host: 'shop.example',
  address: '91.0.0.1',
  request: { userAgent: 'Mozilla/5.0' },
  network: NO_CONNECTION_EVIDENCE,
  ...given,
})

test('a ticket of one node is valid on the other, for its own request ID and body', async () => {
  const { requestId } = await provenVisit()
  const { proof } = await ticketOf(requestId)
  expect(proof).toMatchObject({
    ticket: { state: 'valid', addressChanged: false },
    body: 'bound',
    interrupted: false,
    key: { state: 'unsupported' },
  })
  expect(proof.ticket.ageMs).toBeLessThan(60_000)
})

test('a replayed body names its first use on every node, with its proof and without', async () => {
  const { requestId, body } = await provenVisit()
  const { proof: _proof, ...unproven } = JSON.parse(body)
  const { request_id: _requestId, ...unnamed } = unproven
  const replays: string[] = []
  for (let round = 0; round < 25; round += 1)
    for (const node of [first, second]) {
      replays.push(await send(node, body, `203.0.113.${round}`))
      replays.push(await send(node, JSON.stringify(unproven), `203.0.113.${round}`))
    }
  // Both cut off: the node that received it remembers the text.
  replays.push(await send(second, JSON.stringify(unnamed), '203.0.113.99'))
  for (const replay of replays)
    expect(await ticketOf(replay)).toMatchObject({ state: 'repeated', first: requestId })
})

test('a body that was changed after its proof is altered, a tampered ticket is forged', async () => {
  const { requestId, ticket } = await ticket1()
  const body = closeBody(requestId, ticket, { request_id: requestId, user_hid: 'ada' })
  const changed = body.replace('"ada"', '"eve"')
  await postSnapshot(first, requestId, changed, from('91.0.0.1'))
  expect((await ticketOf(requestId)).proof).toMatchObject({ ticket: { state: 'valid' }, body: 'altered' })
  for (let round = 0; round < 50; round += 1) {
    const node = round % 2 ? first : second
    const id = randomUUID()
    const mine = await (await askForTicket(node, id, from('91.0.0.1'))).text()
    await postSnapshot(node, id, closeBody(id, tampered(mine, round), content()), from('91.0.0.1'))
    expect((await ticketOf(id)).state).toBe('forged')
  }
})

async function ticket1() {
  const requestId = randomUUID()
  const answer = await askForTicket(first, requestId, from('91.0.0.1'))
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  })
  return { requestId, ticket: await answer.text() }
}

/** The ticket with one bit changed. */
function tampered(ticket: string, round: number): string {
  const bytes = Buffer.from(ticket, 'base64url')
  const bit = round % (bytes.length * 8)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('base64url')
}

test('none of 10,000 replays and 10,000 tampered tickets is proven on either node', () => {
  const used = holder()
  const ticket = verifiers[0]?.issue(used) ?? ''
  const deps = verifiers.map((tickets) => ({ tickets, seenBodies: createSeenBodies() }))
  const states = new Map<string, number>()
  function attack(sent: string, visit: TicketHolder, round: number) {
    const text = closeBody(visit.requestId, sent, { user_hid: 'anonymous' })
    const node = deps[round % 2] as (typeof deps)[number]
    const { proof } = verifyProof({ text, namedId: undefined, body: '' }, visit, node)
    states.set(proof.ticket.state, (states.get(proof.ticket.state) ?? 0) + 1)
    return proof.ticket
  }
  for (let round = 0; round < 10_000; round += 1) {
    const replayed = attack(ticket, holder({ address: `203.0.113.${round % 256}` }), round)
    expect(replayed).toMatchObject({ state: 'repeated', firstRequestId: used.requestId })
    // One bit changed, the parts of two tickets, other texts of the length, and a text that decodes to the same bytes.
    const others = [
      tampered(ticket, round),
      ticket.slice(0, 24 + (round % 60)) + (verifiers[1]?.issue(holder()) ?? '').slice(24 + (round % 60)),
      randomBytes(72).toString('base64url'),
      `${ticket.slice(0, round % 96)}=${ticket.slice(round % 96)}`,
    ]
    attack(others[round % 8 < 5 ? 0 : (round % 8) - 4] ?? '', used, round)
  }
  expect(Object.fromEntries(states)).toEqual({ repeated: 10_000, forged: 10_000 })
  expect(attack(ticket, used, 0).state).toBe('valid')
})

test('a ticket outlives midnight and the change of its key, but not an hour', () => {
  const [node, other] = verifiers as [Tickets, Tickets]
  const visit = holder()
  const ticket = node.issue(visit)
  const stateAfter = (ms: number) => {
    nowMs += ms
    const { state, why } = other.check(ticket, visit)
    nowMs -= ms
    return why ? `${state}, ${why}` : state
  }
  const DAY_MS = 24 * HOUR_MS
  expect([0, 20_000, HOUR_MS, HOUR_MS + 1_000, DAY_MS, 9 * DAY_MS, -30_000].map(stateAfter)).toEqual([
    'valid',
    'valid',
    'valid',
    'expired',
    'expired',
    'forged, unknown_key',
    'valid',
  ])
})

test('a ticket is of no use to another domain, page, client or address', () => {
  const [node, other] = verifiers as [Tickets, Tickets]
  const hints = (brands: string) => ({
    available: true as const,
    source: 'http' as const,
    value: {
      httpVersion: '2',
      names: [],
      acceptLanguage: '',
      clientHintPlatform: '',
      clientHintBrands: brands,
    },
  })
  const visit = holder({ network: { ...NO_CONNECTION_EVIDENCE, headers: hints('"Chromium";v="156"') } })
  const ticket = node.issue(visit)
  const seen = (given: Partial<TicketHolder>) => other.check(ticket, { ...visit, ...given })
  expect(seen({ domainId: 2 })).toEqual({ state: 'foreign', why: 'domain' })
  expect(seen({ domainId: 2, requestId: randomUUID() })).not.toHaveProperty('firstRequestId')
  expect(seen({ host: 'blog.shop.example' })).toEqual({ state: 'foreign', why: 'page' })
  expect(seen({ address: '91.0.0.200' })).toMatchObject({ addressChanged: false, clientChanged: false })
  expect(seen({ address: '91.0.1.1' })).toMatchObject({ state: 'valid', addressChanged: true })
  // Browsers use both families in turn.
  expect(seen({ address: '2003::1' }).addressChanged).toBeUndefined()
  const otherClient = { network: { ...NO_CONNECTION_EVIDENCE, headers: hints('"Edge";v="156"') } }
  expect(seen(otherClient)).toMatchObject({ state: 'valid', clientChanged: true })
  expect(seen({ network: NO_CONNECTION_EVIDENCE }).clientChanged).toBeUndefined()
  expect(other.vouches(ticket, visit)).toBe(true)
  expect(other.vouches(ticket, { ...visit, address: '91.0.1.1' })).toBe(false)
})

test('tickets are expected where they arrive, also after a restart, and one network cannot change that', async () => {
  for (let network = 0; network < 10; network += 1) await provenVisit(`91.7.${network}.1`)
  for (let visit = 0; visit < 30; visit += 1) await send(second, '{}', `203.0.113.${visit}`)
  await second.close()
  const isOnly = second === first
  second = await startNode()
  if (isOnly) first = second
  const missing = async () => (await ticketOf(await send(second, '{}', '203.0.113.1'))).proof
  // The page may have an agent of the release before, whose loader was in a cache.
  expect(await missing()).toMatchObject({ ticket: { state: 'missing' } })
  expect(await missing()).not.toHaveProperty('expected')
  sinceStartMs += 301_000
  expect(await missing()).toMatchObject({ ticket: { state: 'missing' }, expected: true })
})

test('an erased visit is not named by its replays, of which there are more than one transaction takes', async () => {
  const cookie_id = randomUUID()
  const { requestId, body } = await provenVisit('91.0.0.1', { cookie_id })
  const replays = await Promise.all(
    Array.from({ length: 201 }, (_, host) =>
      send(first, body.replace(cookie_id, randomUUID()), `203.0.113.${host}`),
    ),
  )
  for (const replay of replays) expect((await ticketOf(replay)).first).toBe(requestId)
  const { domain_id } = await store.reads
    .selectFrom('identifications')
    .select('domain_id')
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirstOrThrow()
  expect(await erase(store, domain_id, { type: 'cookie_id', value: cookie_id })).toBe(1)
  for (const replay of replays) expect((await ticketOf(replay)).text).not.toContain(requestId)
})
