import { randomUUID } from 'node:crypto'
import { HistoryPage } from '@inkling/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { getHistory, postSnapshot, startTestServer, type TestServer } from '../running-server.ts'

/** What a forger who sends a visitor's own readings or cookie from elsewhere can take from the visitor. */

const DAY_MS = 86_400_000

let nowMs = Date.UTC(2026, 10, 2, 9)
let server: TestServer & { close(): Promise<void> }
let readings = uniqueDevice()
let homes = 0
/** The visitor's address; each test has its own. */
let home = ''

beforeAll(async () => {
  const settings = { TRUST_PROXY: '127.0.0.1', HISTORY_LIMIT_PER_SECOND: '1000', FOLLOW_UP_SECONDS: '0' }
  server = await startTestServer({ settings, now: () => nowMs })
})
afterAll(() => server.close())
beforeEach(() => {
  home = `91.10.${homes++}.30`
  readings = uniqueDevice()
})

interface Ids {
  device_id: string
  visitor_id: string
}

async function visit(address: string, cookieId: string, changed: object = {}): Promise<Ids> {
  nowMs += 60_000
  const requestId = randomUUID()
  const body = ordinaryBody({ cookie_id: cookieId }, { ...readings, ...changed })
  const sent = await postSnapshot(server, requestId, body, { 'x-forwarded-for': address })
  expect(sent.status).toBe(200)
  const answer = await getHistory(server, `request_id/${requestId}`)
  const [row] = HistoryPage.parse(await answer.json()).data
  if (!row) throw new Error('the visit has no row')
  return { device_id: row.device_id, visitor_id: row.visitor_id }
}

/** A visitor who came on five days from home, with the cookie. */
async function visitor(): Promise<{ cookieId: string; ids: Ids }> {
  const cookieId = randomUUID()
  let ids = await visit(home, cookieId)
  for (let day = 0; day < 4; day++) {
    nowMs += DAY_MS
    ids = await visit(home, cookieId)
  }
  return { cookieId, ids }
}

/** Addresses of many providers on several continents. */
const networks = Array.from(
  { length: 48 },
  (_, index) => `${[24, 41, 51, 73, 101, 177, 186, 203][index % 8]}.${10 + index}.7.9`,
)

test('after 48 copies from 48 networks within an hour the visitor is known at home without a cookie', async () => {
  const { cookieId, ids } = await visitor()
  for (const address of networks)
    expect((await visit(address, randomUUID())).device_id).not.toBe(ids.device_id)
  expect(await visit(home, cookieId)).toEqual(ids)
  nowMs += 20 * DAY_MS
  expect(await visit(home, randomUUID())).toEqual(ids)
})

test('readings that are copied from another network get neither the device nor the visitor', async () => {
  const { ids } = await visitor()
  for (const address of networks.slice(0, 4)) {
    const forged = await visit(address, randomUUID())
    expect(forged.device_id).not.toBe(ids.device_id)
    expect(forged.visitor_id).not.toBe(ids.visitor_id)
  }
})

test('a stolen cookie that is sent from other machines in turn stays the visitor’s', async () => {
  const { cookieId, ids } = await visitor()
  for (let turn = 0; turn < 20; turn++) {
    const { raster, waveform, typefaces, webgl } = uniqueDevice()
    const machine = {
      raster,
      waveform,
      typefaces,
      webgl,
      hardware: { cores: 32 + turn, memory_gb: 4, max_touch_points: 0 },
    }
    expect((await visit(networks[turn] ?? '', cookieId, machine)).device_id).not.toBe(ids.device_id)
    expect(await visit(home, cookieId)).toEqual(ids)
  }
})
