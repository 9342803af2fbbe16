import { Explanation } from '@inkling/contract'
import { IdentificationDetail } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { rescore } from '../src/jobs/rescore/rescore.ts'
import { storedVisits } from '../src/jobs/rescore/stored-visits.ts'
import { DAY_MS } from '../src/lib/durations.ts'
import { DEFAULT_RULES } from '../src/score/rules.ts'
import { isCold } from '../src/store/cold/cold-body.ts'
import { coldObjects } from '../src/store/cold/cold-objects.ts'
import { moveOldBodies } from '../src/store/cold/move-old-bodies.ts'
import type { ObjectStorage } from '../src/store/cold/object-storage.ts'
import { bringAllBack, tidyObjects } from '../src/store/cold/tidy-objects.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import { removeDomain } from '../src/store/domains/remove-domain.ts'
import { removeOlder } from '../src/store/identifications/remove-identifications.ts'
import type { Identified } from '../src/visit/identification.ts'
import { accountSurface } from './account/account-surface.ts'
import { directFrom, storeDelivery, storeVisit } from './account/stored-visits.ts'
import { identified } from './identified.ts'
import { s3Server } from './s3-server.ts'

const AFTER_MS = 30 * DAY_MS

/** A shop with a cold storage, and visits of 40 days ago. */
async function coldSite() {
  const surface = await accountSurface()
  const server = await s3Server()
  const { store, clock, ask } = surface
  store.cold = server.storage
  const startMs = clock.nowMs
  clock.nowMs = startMs - 40 * DAY_MS
  const lost: string[] = []
  const place = (cold: ObjectStorage = server.storage) => ({ ...store, cold })
  const options = { nowMs: startMs, lost: (object: string) => void lost.push(object) }
  return {
    ...surface,
    server,
    lost,
    /** A visit whose event was sent. */
    async visit(given: Partial<Identified> = {}): Promise<string> {
      const visit = await storeVisit(surface, given)
      await storeDelivery(surface, visit)
      return visit.requestId
    },
    move: (cold?: ObjectStorage) =>
      moveOldBodies(place(cold), { beforeMs: startMs - AFTER_MS, nowMs: startMs }),
    tidy: (days = 0, cold?: ObjectStorage) =>
      tidyObjects(place(cold), { ...options, nowMs: startMs + days * DAY_MS }),
    bringBack: () => bringAllBack(place(), options),
    /** How many bodies are in the cold storage. */
    async cold(): Promise<number> {
      const rows = await Promise.all(
        (['snapshots', 'deliveries'] as const).map((table) =>
          store.reads.selectFrom(table).select('body').execute(),
        ),
      )
      return rows.flat().filter(({ body }) => isCold(body)).length
    },
    async detail(requestId: string) {
      const answer = await ask({ url: `/account/domains/shop.example/identifications/${requestId}` })
      return IdentificationDetail.parse(answer.json())
    },
    erase: (type: string, value: string) =>
      ask({ method: 'POST', url: '/account/domains/shop.example/privacy/erase', payload: { type, value } }),
    exported: (userHid: string) =>
      ask({ url: `/account/domains/shop.example/privacy/export?type=user_hid&value=${userHid}` }),
    async storedBytes() {
      return (await domainStore(store.reads).find('shop.example'))?.stored_bytes ?? 0
    },
    async rescored() {
      const domain = await domainStore(store.reads).find('shop.example')
      if (!domain) throw new Error('no domain')
      const lookUpIp = () => identified().ip
      const visits = storedVisits(store, domain, { sinceMs: 0, untilMs: Date.now() }, lookUpIp)
      return rescore(visits, { rules: DEFAULT_RULES, writer: undefined })
    },
  }
}

test('what is in the cold storage is read like what is in the database, and comes back from it', async () => {
  const site = await coldSite()
  const ids = [await site.visit({ userHid: 'ada' }), await site.visit({ userHid: 'ada' })]
  const before = await Promise.all(ids.map(site.detail))
  const [exported, rescored, bytes] = [
    (await site.exported('ada')).json(),
    await site.rescored(),
    await site.storedBytes(),
  ]
  expect(await site.move()).toBe(4)

  expect(await site.cold()).toBe(4)
  expect(await site.server.objects()).toHaveLength(1)
  expect(await site.storedBytes()).toBeLessThan(bytes)
  expect(await Promise.all(ids.map(site.detail))).toEqual(before)
  expect((await site.exported('ada')).json()).toEqual(exported)
  expect(await site.rescored()).toEqual(rescored)
  expect(rescored.identifications).toBe(2)
  expect(await site.move()).toBe(0)

  expect(await site.bringBack()).toBe(4)
  expect(await site.cold()).toBe(0)
  expect(await site.server.objects()).toEqual([])
  expect(await site.storedBytes()).toBe(bytes)
  expect(await Promise.all(ids.map(site.detail))).toEqual(before)
})

test('young visits stay in the database, and a few old ones wait a day for others', async () => {
  const site = await coldSite()
  site.clock.nowMs += 9.5 * DAY_MS
  await site.visit()
  site.clock.nowMs += 2 * DAY_MS
  await site.visit()
  expect(await site.move()).toBe(0)
  site.clock.nowMs -= 3 * DAY_MS
  await site.visit()
  // With the oldest goes what waited.
  expect(await site.move()).toBe(4)
  expect(await site.cold()).toBe(4)
})

test('a crash at any point loses nothing and leaves no object behind', async () => {
  const site = await coldSite()
  const requestId = await site.visit()
  const before = await site.detail(requestId)
  const { storage } = site.server
  const crash = () => Promise.reject(new Error('crashed'))
  const dying: ObjectStorage[] = [
    { ...storage, put: crash },
    { ...storage, get: crash },
    // It says that it has the object, and has another.
    { ...storage, get: async () => Buffer.from('other bytes') },
  ]
  for (const cold of dying) await expect(site.move(cold)).rejects.toThrow()
  expect(await site.cold()).toBe(0)
  expect(await site.server.objects()).toHaveLength(2)
  await site.tidy()
  expect(await site.server.objects()).toEqual([])
  expect(await site.move()).toBe(2)
  expect(await site.detail(requestId)).toEqual(before)
})

test('bodies stay in the database when another run removes their object while it is written', async () => {
  const site = await coldSite()
  await site.visit()
  const { storage } = site.server
  const put: ObjectStorage['put'] = async (name, bytes) => {
    await site.tidy()
    await storage.put(name, bytes)
  }
  await expect(site.move({ ...storage, put })).rejects.toMatchObject({ code: 'INK_COLD_STORAGE' })
  expect(await site.cold()).toBe(0)
  expect(await site.server.objects()).toEqual([])
  expect(await site.move()).toBe(2)
})

test('an object that is stored while another run clears up after a crash stays', async () => {
  const site = await coldSite()
  const requestId = await site.visit()
  const before = await site.detail(requestId)
  const { storage } = site.server
  await coldObjects(site.store.writes).announce({
    ...{ domain_id: site.domainId, object: '0', state: 'writing', bytes: 1, index_at: 0, released: 0 },
    ...{ bodies: 1, bodies_left: 1, created_at: 0, checked_at: 0 },
  })
  const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const clearing: ObjectStorage = {
    ...storage,
    async remove(name) {
      begun.resolve()
      await stored.promise
      await storage.remove(name)
    },
  }
  let cleared: Promise<void> | undefined
  const put: ObjectStorage['put'] = async (name, bytes) => {
    cleared = site.tidy(0, clearing)
    await begun.promise
    await storage.put(name, bytes)
  }
  expect(await site.move({ ...storage, put })).toBe(2)
  stored.resolve()
  await cleared
  expect(await site.server.objects()).toHaveLength(1)
  expect(await site.detail(requestId)).toEqual(before)
})

test('an outage costs what needs the storage, is told, and loses nothing', async () => {
  const site = await coldSite()
  const requestId = await site.visit({ userHid: 'ada' })
  await site.visit({ userHid: 'bob', ...directFrom('203.0.113.9') })
  const before = await site.detail(requestId)
  await site.move()
  site.clock.nowMs += DAY_MS
  const late = await site.visit()
  await site.server.stop()

  await expect(site.move()).rejects.toMatchObject({ code: 'INK_COLD_STORAGE' })
  expect((await site.detail(late)).snapshot).not.toBeNull()
  const { explanation, snapshot, snapshot_unavailable, deliveries, ...others } = await site.detail(requestId)
  expect({ snapshot, snapshot_unavailable }).toEqual({ snapshot: null, snapshot_unavailable: true })
  expect(deliveries.map(({ body }) => body)).toEqual([null])
  expect(others).toMatchObject({ row: before.row, versions: before.versions })
  expect(explanation).toEqual({
    ...Explanation.parse(before.explanation),
    network: undefined,
    unavailable: ['network'],
  })
  await expect(site.rescored()).rejects.toMatchObject({ code: 'INK_COLD_STORAGE' })
  expect((await site.exported('ada')).statusCode).toBe(503)
  // Erasing needs no bytes: without the key in the row nobody can read them.
  expect((await site.erase('ip', '203.0.113.9')).json()).toEqual({ rows: 1 })

  await site.server.start()
  expect(await site.detail(requestId)).toEqual(before)
  await site.move()
  await site.tidy()
  expect(await site.server.objects()).toHaveLength(2)
})

test('an erasure finds an address that only the network check saw, in snapshots that are moved', async () => {
  const site = await coldSite()
  const { network } = identified()
  const sighting = { port: 4_000, transport: 'udp', roundTripMs: 20, engine: 'gecko' } as const
  const sightings = ['203.0.113.5', '2001:db8::7'].map((address) => ({ address, ...sighting }))
  const turn = { available: true, source: 'turn', value: { sightings, late: false } } as const
  await site.visit({ ...directFrom('203.0.113.5'), network: { ...network, turn } })
  await site.visit()
  await site.move()
  await site.server.stop()
  expect((await site.erase('ip', '2001:db8::7')).json()).toEqual({ rows: 1 })
})

test('objects are written anew once most of their rows are gone, and removed with the last', async () => {
  const site = await coldSite()
  const kept = await site.visit()
  for (const userHid of ['ada', 'ada', 'bob']) await site.visit({ userHid })
  const before = await site.detail(kept)
  const bytes = await site.storedBytes()
  await site.move()
  const [first] = await site.server.objects()
  await site.erase('user_hid', 'ada')
  await site.tidy(2)
  expect(await site.server.objects()).toEqual([first])
  await site.erase('user_hid', 'bob')
  await site.tidy(4)
  const [second, ...others] = await site.server.objects()
  expect(others).toEqual([])
  expect(second).not.toBe(first)
  expect(await site.detail(kept)).toEqual(before)
  expect(await site.storedBytes()).toBeLessThan(bytes / 3)

  await removeOlder(site.store, site.clock.nowMs + 1)
  await site.tidy(8)
  expect(await site.server.objects()).toEqual([])
  expect(await site.storedBytes()).toBe(0)
  expect(site.lost).toEqual([])
})

test('an erasure reaches the snapshots that name the erased visit', async () => {
  const site = await coldSite()
  const first = await site.visit({ userHid: 'ada' })
  const ticket = { state: 'repeated', firstRequestId: first } as const
  const others = { body: 'unbound', key: { state: 'none' }, interrupted: false, expected: true } as const
  const repeated = await site.visit({ proof: { ticket, ...others } })
  const named = JSON.stringify(await site.detail(repeated)).includes(first)
  await site.move()
  await site.erase('user_hid', 'ada')
  expect(named).toBe(true)
  expect(JSON.stringify(await site.detail(repeated))).not.toContain(first)
})

test('an erasure that the storage stops midway leaves what it removed in the audit log', async () => {
  const site = await coldSite()
  await site.visit({ userHid: 'bob' })
  const first = await site.visit({ userHid: 'ada' })
  const ticket = { state: 'repeated', firstRequestId: first } as const
  const others = { body: 'unbound', key: { state: 'none' }, interrupted: false, expected: true } as const
  await site.visit({ proof: { ticket, ...others } })
  await site.move()
  await site.server.stop()
  const erased = await site.ask({
    method: 'POST',
    url: '/account/domains/shop.example/privacy/erase',
    payload: { type: 'user_hid', value: 'bob', include: [{ type: 'user_hid', value: 'ada' }] },
  })
  expect(erased.statusCode).toBe(503)
  const { data } = (await site.ask({ url: '/account/audit' })).json()
  expect(data[0]).toMatchObject({
    action: 'privacy.erase',
    target: 'shop.example',
    detail: { type: 'user_hid', included: 1, rows: 1, incomplete: true },
  })
})

test('a removed domain leaves no object', async () => {
  const site = await coldSite()
  await site.visit()
  await site.move()
  const options = { nowMs: site.clock.nowMs, actor: 'test' }
  await removeDomain(site.store, { id: site.domainId, name: 'shop.example' }, options)
  await site.tidy()
  expect(await site.server.objects()).toEqual([])
  expect(await coldObjects(site.store.reads).totals()).toEqual({ objects: 0, bytes: 0 })
})

test('a lost object is told and costs its snapshots only', async () => {
  const site = await coldSite()
  const requestId = await site.visit()
  await site.move()
  const [object = ''] = await site.server.objects()
  await site.server.storage.remove(object)
  await site.tidy(2)
  expect(site.lost).toEqual([object.split('/')[1]])
  expect(await site.detail(requestId)).toMatchObject({ snapshot: null, snapshot_unavailable: false })
  expect(await site.rescored()).toMatchObject({ identifications: 0 })
})
