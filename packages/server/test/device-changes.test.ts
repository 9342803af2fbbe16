import { randomUUID } from 'node:crypto'
import { DeviceMerged, DeviceSplit, HistoryPage } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type DomainKeys, registerDomain } from '../src/auth/register-domain.ts'
import { openServerSecrets } from '../src/auth/server-secrets.ts'
import { readConfig } from '../src/composition/config.ts'
import { startServer } from '../src/composition/start-server.ts'
import { addEndpoint } from '../src/deliver/webhook-endpoints.ts'
import { createLog } from '../src/lib/log.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import { uuidBytesOrNil, uuidToText } from '../src/lib/uuid.ts'
import { aliasesOf } from '../src/store/devices/device-aliases.ts'
import { domainStore, endpointStore } from '../src/store/domains/domains.ts'
import type { Store } from '../src/store/store.ts'
import { ordinaryBody, uniqueDevice } from './contract/bodies.ts'
import { from, ROOMY_SETTINGS } from './contract/roomy-settings.ts'
import { getHistory, postSnapshot } from './running-server.ts'
import { makeDirectory, type OwnDirectory } from './temporary-store.ts'
import { databaseSettings, openStoreIn } from './test-database.ts'
import { type Receiver, startWebhookReceiver } from './webhook-receiver.ts'

/** Visits that show two devices to be one, or one to be two, on a server that restarts before it could tell. */

const DAY_MS = 86_400_000
const [HOME, ELSEWHERE] = ['91.0.7.1', '5.9.0.1']

let directory: OwnDirectory
let store: Store
let keys: DomainKeys
let server: { url: string; keys: DomainKeys; close(): Promise<void> }
let subscribed: Receiver & { close(): void }
let other: Receiver & { close(): void }
let isReachable = true
let aheadMs = 0

beforeAll(async () => {
  directory = await makeDirectory()
  store = await openStoreIn(directory.path)
  keys = (await registerDomain(store, 'shop.example', Date.UTC(2026, 0))) as DomainKeys
  const { id } = (await domainStore(store.reads).find('shop.example')) ?? { id: 0 }
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  subscribed = await startWebhookReceiver(({ body }) => (isReachable || !isOfDevice(body) ? 204 : 503))
  other = await startWebhookReceiver()
  const { row } = await addEndpoint(store, box, id, subscribed.url, Date.now())
  await endpointStore(store.writes).change(id, row.id, { device_events: 1 })
  await addEndpoint(store, box, id, other.url, Date.now())
  server = await start()
})
afterAll(async () => {
  await server?.close()
  await store?.close()
  subscribed?.close()
  other?.close()
  await directory?.remove()
})

async function start() {
  const config = readConfig({
    ...ROOMY_SETTINGS,
    PORT: '0',
    DATA_DIR: directory.path,
    ...(await databaseSettings(directory.path)),
    FOLLOW_UP_SECONDS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRIES: '7',
    FEEDS: 'off',
    TURN_PORT: 'off',
    LOG_LEVEL: 'warn',
  })
  const { address, close } = await startServer(
    config,
    createLog('warn', 'normal'),
    () => Date.now() + aheadMs,
  )
  return { url: address, keys, close }
}

const Named = z.object({ event_type: z.string(), event_id: z.string() })
const read = (body: Buffer) => JSON.parse(body.toString()) as unknown
const isOfDevice = (body: Buffer): boolean => Named.parse(read(body)).event_type.startsWith('device.')
const told = (receiver: Receiver) =>
  receiver.received.flatMap(({ body }) => (isOfDevice(body) ? [read(body)] : []))
const eventIds = (events: unknown[]) => [...new Set(events.map((event) => Named.parse(event).event_id))]

const PREFERENCES = {
  color_scheme: 'dark',
  contrast: 'more',
  reduced_motion: true,
  forced_colors: false,
  color_gamut: 'p3',
  hdr: false,
  pointer: 'fine',
  hover: true,
  do_not_track: null,
  global_privacy_control: null,
}

const ZOOMED = {
  width: 1536,
  height: 864,
  avail_width: 1536,
  avail_height: 824,
  color_depth: 24,
  pixel_ratio: 1.25,
}

interface Given {
  cookie: string
  address: string
  device: ReturnType<typeof uniqueDevice> & { screen?: typeof ZOOMED }
  /** Readings that are missing. */
  without?: readonly string[]
}

/** A visit some days after the one before. */
async function visit({ cookie, address, device, without = [] }: Given, days: number) {
  aheadMs += days * DAY_MS
  const requestId = randomUUID()
  const body = JSON.parse(ordinaryBody({ cookie_id: cookie }, device)) as {
    readings: Record<string, unknown>
  }
  for (const name of without) body.readings[name] = { error: 'missing' }
  const { status } = await postSnapshot(server, requestId, JSON.stringify(body), from(address))
  expect(status).toBe(200)
  const [row] = (await history('request_id', requestId)).data
  if (!row) throw new Error('the visit is not stored')
  return { requestId, deviceId: row.device_id }
}

const history = async (type: string, value: string) =>
  HistoryPage.parse(await (await getHistory(server, `${type}/${value}`)).json())

async function restart(): Promise<void> {
  await server.close()
  isReachable = true
  server = await start()
}

test('two devices that prove to be one are told once, after a restart too, and either ID finds all visits', async () => {
  // Among others with another zoom and without its settings, so that both say something.
  for (let stranger = 0; stranger < 8; stranger++)
    await visit(
      { cookie: randomUUID(), address: `91.0.8.${stranger}`, device: { ...uniqueDevice(), screen: ZOOMED } },
      0,
    )
  const device = { ...uniqueDevice(), preferences: PREFERENCES }
  const first = await visit({ cookie: randomUUID(), address: HOME, device }, 0)
  const cookie = randomUUID()
  const hidden = { cookie, address: ELSEWHERE, device, without: ['typefaces', 'webgl', 'raster'] }
  const second = await visit(hidden, 7)
  expect(second.deviceId).not.toBe(first.deviceId)

  isReachable = false
  const third = await visit({ cookie, address: HOME, device }, 1)
  expect(third.deviceId).toBe(first.deviceId)
  await expect.poll(() => told(subscribed), { timeout: 20_000 }).not.toHaveLength(0)
  const refused = told(subscribed).length
  await restart()
  await expect.poll(() => told(subscribed).length, { timeout: 20_000 }).toBeGreaterThan(refused)

  const ids = [first.deviceId, second.deviceId]
  for (const id of ids) {
    const { total, data } = await history('device_id', id)
    expect(total).toBe(3)
    // As they were answered.
    expect(data.map(({ device_id }) => device_id)).toEqual([first.deviceId, second.deviceId, first.deviceId])
  }
  const { id } = (await domainStore(store.reads).find('shop.example')) ?? { id: 0 }
  expect((await aliasesOf(store.reads, id, uuidBytesOrNil(first.deviceId))).map(uuidToText)).toEqual([
    second.deviceId,
  ])

  await visit({ cookie, address: HOME, device }, 1)
  const events = told(subscribed)
  expect(eventIds(events)).toHaveLength(1)
  const { data } = DeviceMerged.strict().parse(events.at(-1))
  expect(data).toMatchObject({
    device_id: first.deviceId,
    merged_device_id: second.deviceId,
    request_id: third.requestId,
    domain: 'shop.example',
  })
  // That of the merge, which a known cookie's is above.
  expect(data.confidence).toBeGreaterThanOrEqual(0.97)
  expect(data.confidence).toBeLessThan(0.999)
})

test('a device that proves to be two is told once, and each keeps its visits', async () => {
  const device = uniqueDevice()
  const [one, two] = [randomUUID(), randomUUID()]
  const before = told(subscribed).length
  const first = await visit({ cookie: one, address: HOME, device }, 1)
  const taken = await visit({ cookie: two, address: HOME, device }, 30)
  expect(taken.deviceId).toBe(first.deviceId)
  await visit({ cookie: one, address: '84.1.1.1', device }, 30)

  isReachable = false
  const apart = await visit({ cookie: two, address: '62.5.5.5', device }, 30)
  expect(apart.deviceId).not.toBe(first.deviceId)
  await expect.poll(() => told(subscribed).length, { timeout: 20_000 }).toBeGreaterThan(before)
  const refused = told(subscribed).length
  await restart()
  await expect.poll(() => told(subscribed).length, { timeout: 20_000 }).toBeGreaterThan(refused)

  await visit({ cookie: one, address: '84.1.1.1', device }, 1)
  await visit({ cookie: two, address: '62.5.5.5', device }, 1)
  const events = told(subscribed).slice(before)
  expect(eventIds(events)).toHaveLength(1)
  expect(DeviceSplit.strict().parse(events.at(-1)).data).toMatchObject({
    device_id: first.deviceId,
    split_device_id: apart.deviceId,
    cookie_id: two,
    request_id: apart.requestId,
  })
  expect((await history('device_id', first.deviceId)).total).toBe(4)
  expect((await history('device_id', apart.deviceId)).total).toBe(2)
})

test('an endpoint that did not ask for it gets the visits alone', () => {
  expect(other.received.length).toBeGreaterThan(0)
  expect(told(other)).toEqual([])
})
