import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { IdentificationDetail } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { storeDelivery, storeLimitedVisit, storeVisit } from '../../test/account/stored-visits.ts'
import { identified } from '../../test/identified.ts'
import { storeLaterVersion } from '../../test/store-later-version.ts'
import { scoredEvent } from '../deliver/webhook-events.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { score } from '../score/score.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'

const erase = ({ ask }: AccountSurface, type: string, value: string) =>
  ask({ method: 'POST', url: '/account/domains/shop.example/privacy/erase', payload: { type, value } })

/** Number of rows of each table. */
async function counts({ store }: AccountSurface) {
  const tables = [
    'identifications',
    'versions',
    'snapshots',
    'outbox',
    'deliveries',
    'sticky_verdicts',
  ] as const
  const entries = await Promise.all(
    tables.map(async (table) => [
      table,
      (await store.reads.selectFrom(table).select('domain_id').execute()).length,
    ]),
  )
  return Object.fromEntries(entries)
}

/** A visit with rows in every table that refers to visits. */
async function wholeVisit(surface: AccountSurface, given: Parameters<typeof storeVisit>[1] = {}) {
  const visit = await storeVisit(surface, given)
  await storeDelivery(surface, await storeVisit(surface, given))
  const domain = { ...identified().domain, id: surface.domainId }
  const later = score(identified({ atMs: surface.clock.nowMs, domain, ...given, requestId: visit.requestId }))
  await storeLaterVersion(surface.store, identificationRow(later, surface.clock.nowMs + 500), {
    sticky: {
      cookie_key: null,
      domain_id: surface.domainId,
      device_id: uuidBytesOrNil(later.identity.deviceId),
      address: later.address,
      name: 'antidetect_browser',
      description: 'Antidetect browser',
      request_id: uuidBytesOrNil(visit.requestId),
      created_at: surface.clock.nowMs,
    },
  })
  return visit
}

const ALL_GONE = {
  identifications: 0,
  versions: 0,
  snapshots: 0,
  outbox: 0,
  deliveries: 0,
  sticky_verdicts: 0,
}

test.each([
  ['user_hid', 'ada'],
  ['ip', '198.51.100.7'],
  ['device_id', '1f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'],
  ['cookie_id', '3f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'],
])('erasing by %s leaves no trace, in any table', async (type, value) => {
  const surface = await accountSurface()
  await wholeVisit(surface, {
    userHid: 'ada',
    address: '198.51.100.7',
    cookieId: '3f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e',
    identity: { ...identified().identity, deviceId: '1f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e' },
  })
  expect(Object.values(await counts(surface))).not.toContain(0)
  const answer = await erase(surface, type, value)
  expect([answer.statusCode, answer.json()]).toEqual([200, { rows: 2 }])
  expect(await counts(surface)).toEqual(ALL_GONE)
  expect((await erase(surface, type, value)).json()).toEqual({ rows: 0 })
})

test('a merged device is previewed, exported and erased with all of its IDs, whichever is named', async () => {
  const surface = await accountSurface()
  const ids = ['1f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e', '2f0f3c52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'] as const
  for (const deviceId of ids) await wholeVisit(surface, { identity: { ...identified().identity, deviceId } })
  const alias = { device_id: uuidBytesOrNil(ids[0]), merged_into: uuidBytesOrNil(ids[1]) }
  await surface.store.writes
    .insertInto('device_aliases')
    .values({ domain_id: surface.domainId, ...alias, created_at: surface.clock.nowMs })
    .execute()

  const named = { type: 'device_id', value: ids[1] }
  const url = '/account/domains/shop.example/privacy'
  const preview = await surface.ask({ method: 'POST', url: `${url}/erase/preview`, payload: named })
  expect(preview.json()).toMatchObject({ rows: 4, complete: true })
  const all = await surface.ask({ method: 'GET', url: `${url}/export?type=device_id&value=${ids[1]}` })
  expect(all.json()).toHaveLength(4)
  expect((await erase(surface, named.type, named.value)).json()).toEqual({ rows: 4 })
  expect(await counts(surface)).toEqual(ALL_GONE)
  expect(await surface.store.reads.selectFrom('device_aliases').selectAll().execute()).toEqual([])
})

test('other rows stay, as does the same identifier in another domain', async () => {
  const surface = await accountSurface()
  await wholeVisit(surface, { userHid: 'grace' })
  const before = await counts(surface)
  await wholeVisit(surface, { userHid: 'ada', address: '198.51.100.7' })
  await erase(surface, 'user_hid', 'ada')
  expect(await counts(surface)).toEqual(before)

  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const url = '/account/domains/blog.example/privacy/erase'
  const answer = await surface.ask({ method: 'POST', url, payload: { type: 'user_hid', value: 'grace' } })
  expect(answer.json()).toEqual({ rows: 0 })
  expect(await counts(surface)).toEqual(before)
})

test('more rows than one batch are all erased', async () => {
  const surface = await accountSurface()
  await Promise.all(Array.from({ length: 450 }, () => storeVisit(surface, { userHid: 'ada' })))
  expect((await erase(surface, 'user_hid', 'ada')).json()).toEqual({ rows: 450 })
  expect(await counts(surface)).toEqual(ALL_GONE)
})

test('markers of an address are erased with their events, those of other addresses are not', async () => {
  const surface = await accountSurface()
  for (const address of ['198.51.100.7', '198.51.100.8']) {
    const recorded = await storeLimitedVisit(surface, address)
    const event = scoredEvent(recorded, { createdAtMs: surface.clock.nowMs, eventId: undefined })
    await storeDelivery(surface, { requestId: NIL_UUID, event: Buffer.from(event).toString() })
  }
  expect((await erase(surface, 'ip', '198.51.100.7')).json()).toEqual({ rows: 1 })
  expect(await counts(surface)).toEqual({ ...ALL_GONE, identifications: 1, deliveries: 1 })
})

test('an empty identifier is an error, because unrelated visitors share it', async () => {
  const surface = await accountSurface()
  await wholeVisit(surface, { userHid: 'anonymous' })
  const before = await counts(surface)
  for (const [type, value] of [
    ['user_hid', 'anonymous'],
    ['device_id', NIL_UUID],
    ['ip', '0.0.0.0'],
    ['ip', '2001:db8::/64'],
    ['device_id', 'x'],
    ['email', 'a@b'],
  ] as const)
    expect((await erase(surface, type, value)).statusCode).toBe(400)
  expect(await counts(surface)).toEqual(before)
})

test('the audit log records an erasure without the identifier', async () => {
  const surface = await accountSurface()
  const userHid = `person-${randomUUID()}`
  await storeVisit(surface, { userHid })
  await erase(surface, 'user_hid', userHid)
  const audit = await surface.ask({ url: '/account/audit' })
  expect(audit.json().data[0]).toMatchObject({
    actor: 'owner@shop.example',
    action: 'privacy.erase',
    target: 'shop.example',
    detail: { type: 'user_hid', rows: 1 },
  })
  expect(audit.body).not.toContain(userHid)
})

test('an export has everything that an erasure removes, and is in the audit log', async () => {
  const surface = await accountSurface()
  await wholeVisit(surface, { userHid: 'ada' })
  await storeVisit(surface, { userHid: 'grace' })
  const answer = await surface.ask({
    url: '/account/domains/shop.example/privacy/export',
    query: { type: 'user_hid', value: 'ada' },
  })
  expect(answer.headers['content-disposition']).toMatch(/^attachment/)
  const details = IdentificationDetail.array().parse(answer.json())
  expect(details.map(({ row }) => row.user_hid)).toEqual(['ada', 'ada'])
  expect(details.map(({ versions }) => versions.length).toSorted()).toEqual([1, 2])
  expect(details.flatMap(({ deliveries }) => deliveries)).toHaveLength(1)
  expect(answer.body).not.toContain('grace')
  expect((await surface.actions())[0]).toBe('privacy.export')
})

test('a preview counts what operators wrote about others that names the identifier, and not what goes anyway', async () => {
  const surface = await accountSurface()
  const url = '/account/domains/shop.example'
  const post = async (path: string, payload: object) => {
    const answer = await surface.ask({ method: 'POST', url: `${url}${path}`, payload })
    expect(answer.statusCode, path).toBeLessThan(300)
    return answer.json()
  }
  await storeVisit(surface, { userHid: 'ann-81' })
  const other = { type: 'address', value: '94.8.0.1' }
  const entry = { list: 'watch', kind: 'address', value: other.value }
  await post('/lists', { ...entry, reason: 'used by ANN-81, too' })
  await post('/lists', { ...entry, value: '94.8.0.2', reason: 'used by joann-815' })
  await post('/lists', { list: 'deny', kind: 'account', value: 'ann-81', reason: 'ann-81 again' })
  await post('/labels', { kind: 'fraud', subject: other, source: 'review', note: 'it was ann-81' })
  await post('/cases', { subject: other, title: 'call ann-81', priority: 'high' })
  await post('/cases', { subject: { type: 'account', value: 'ann-81' }, title: 'ann-81', priority: 'high' })
  const { mentions, tables } = await post('/privacy/erase/preview', { type: 'user_hid', value: 'ann-81' })
  expect(mentions).toEqual([
    { table: 'list_entries', rows: 1 },
    { table: 'labels', rows: 1 },
    { table: 'cases', rows: 1 },
  ])
  expect(tables).toContainEqual({ table: 'cases', rows: 1 })
})
