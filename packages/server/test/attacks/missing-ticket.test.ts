import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { readSnapshot } from '../../src/store/identifications/snapshots.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { from } from '../contract/roomy-settings.ts'
import { askForTicket, closeBody, provenBody } from '../proven-body.ts'
import { postSnapshot, runningServer, type TestServer } from '../running-server.ts'

/** Ways to make the absence of a ticket mean nothing, and so to send copied bodies without one. */

const SETTINGS = { TRUST_PROXY: '127.0.0.1', FOLLOW_UP_SECONDS: '0', INGEST_LIMIT_PER_MINUTE: '20' }
/** Five times as many as visits. */
const TICKETS = 100

const content = () => JSON.parse(ordinaryBody({ duration_ms: 300 + Math.random() }, uniqueDevice())) as object

/** Sends a body and returns what was stored of its proof. */
async function send(server: TestServer, address: string, body: (requestId: string) => string) {
  const requestId = randomUUID()
  expect((await postSnapshot(server, requestId, body(requestId), from(address))).status).toBe(200)
  const { domain_id, id } = await server.store.reads
    .selectFrom('identifications')
    .select(['domain_id', 'id'])
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirstOrThrow()
  return JSON.parse((await readSnapshot(server.store, domain_id, id)) ?? '{}').proof
}

const bare = () => JSON.stringify(content())
const sealedWithoutTicket = (requestId: string) =>
  closeBody(requestId, '', { version: 1, request_id: requestId, ...content() })
const EXPECTED = { ticket: { state: 'missing' }, expected: true }

/** A server where tickets are expected, an hour after its start. */
async function serverWithTickets(): Promise<TestServer> {
  let sinceStartMs = 0
  const server = await runningServer({ settings: SETTINGS, now: () => Date.now() + sinceStartMs })
  for (let network = 0; network < 12; network += 1) {
    const requestId = randomUUID()
    const headers = from(`91.${network}.0.1`)
    await postSnapshot(server, requestId, await provenBody(server, requestId, content(), headers), headers)
  }
  sinceStartMs = 3_600_000
  expect(await send(server, '203.0.113.1', bare)).toMatchObject(EXPECTED)
  return server
}

test('who asks for too many tickets is not excused for a bare body, and an agent behind the same address is', async () => {
  const server = await serverWithTickets()
  const address = '203.0.113.1'
  const asked = Array.from({ length: TICKETS + 1 }, () => askForTicket(server, randomUUID(), from(address)))
  expect((await Promise.all(asked)).map(({ status }) => status)).toContain(429)
  expect(await send(server, address, bare)).toMatchObject(EXPECTED)
  expect(await send(server, address, sealedWithoutTicket)).not.toHaveProperty('expected')
  expect(await send(server, '203.0.114.1', sealedWithoutTicket)).toMatchObject(EXPECTED)
})

test('a 503 that has nothing to do with tickets excuses nobody', async () => {
  const server = await serverWithTickets()
  const domains = domainStore(server.store.writes)
  const { id } = (await domains.find(server.keys.domain)) ?? { id: 0 }
  let visits = 0
  const statusFrom = async () => {
    visits += 1
    return (await postSnapshot(server, randomUUID(), bare(), from(`203.0.115.${visits}`))).status
  }
  for (const [disk_budget, status] of [
    [1, 503],
    [null, 200],
  ] as const) {
    await domains.change(id, { disk_budget })
    await expect.poll(statusFrom, { timeout: 10_000 }).toBe(status)
  }
  expect(await send(server, '203.0.116.1', sealedWithoutTicket)).toMatchObject(EXPECTED)
})

test('bare copies from many networks do not switch off that tickets are expected', async () => {
  const server = await serverWithTickets()
  for (let network = 0; network < 20; network += 1) await send(server, `198.18.${network}.1`, bare)
  expect(await send(server, '203.0.113.1', bare)).toMatchObject(EXPECTED)
})
