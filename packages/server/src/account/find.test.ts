import { randomUUID } from 'node:crypto'
import { FOUND_MAX, FoundThings } from '@inkling/contract/account'
import { describe, expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { directFrom, storeVisit } from '../../test/account/stored-visits.ts'
import { newDomain } from '../auth/register-domain.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { domainStore } from '../store/domains/domains.ts'
import { recordFinding } from '../store/findings/findings.ts'

const find = ({ ask, tokens }: AccountSurface, q: string) =>
  ask({ url: '/account/domains/shop.example/find', query: { q }, token: tokens.analyst })

async function found(surface: AccountSurface, q: string): Promise<FoundThings> {
  const answer = await find(surface, q)
  expect(answer.statusCode, answer.body).toBe(200)
  return FoundThings.parse(answer.json())
}

const seenBy = async (surface: AccountSurface, q: string) =>
  (await found(surface, q)).seen.map(({ kind, value }) => `${kind} ${value}`)

const NOTHING: FoundThings = { seen: [], list_entries: [], cases: [], findings: [], absent: [] }

const withPrefix = (prefix: string): string => prefix + randomUUID().slice(prefix.length)

const machine = (deviceId: string) => ({
  identity: { deviceId, visitorId: randomUUID(), components: [] },
})

describe('IDs', () => {
  test('are found whole or by six characters, in either case, each as what it is', async () => {
    const surface = await accountSurface()
    const ids = {
      request: withPrefix('aaaaa1'),
      device: withPrefix('bbbbb2'),
      visitor: withPrefix('ccccc3'),
      session: withPrefix('ddddd4'),
      cookie: withPrefix('eeeee5'),
    }
    await storeVisit(surface, {
      requestId: ids.request,
      sessionId: ids.session,
      cookieId: ids.cookie,
      identity: { deviceId: ids.device, visitorId: ids.visitor, components: [] },
    })
    for (const [kind, id] of Object.entries(ids))
      for (const typed of [id, id.toUpperCase(), id.slice(0, 6), id.slice(0, 6).toUpperCase()])
        expect(await seenBy(surface, typed), typed).toEqual([`${kind} ${id}`])
    const [device] = (await found(surface, ids.device)).seen
    expect(device?.last_seen_at).toBe('2026-11-21T00:00:00.000Z')
  })

  test('that do not exist are said to be absent, with their beginning as it was read', async () => {
    const surface = await accountSurface()
    await storeVisit(surface, machine(withPrefix('abcdef')))
    expect(await found(surface, 'FEDCBA98-7')).toEqual({
      ...NOTHING,
      absent: ['request', 'device', 'visitor', 'session', 'cookie'].map((kind) => ({
        kind,
        value: 'fedcba98-7',
      })),
    })
    const kinds = (await found(surface, 'ABCDEF')).absent.map(({ kind }) => kind)
    expect(kinds).toEqual(['request', 'visitor', 'session', 'cookie'])
  })

  test('of a beginning that many share are a few different ones, however often each was seen', async () => {
    const surface = await accountSurface()
    const devices = Array.from({ length: FOUND_MAX + 3 }, () => withPrefix('abcdef'))
    for (const [index, device] of [...devices, ...devices].entries())
      await storeVisit(surface, { ...machine(device), atMs: surface.clock.nowMs + index })
    const seen = await seenBy(surface, 'abcdef')
    expect(new Set(seen).size).toBe(FOUND_MAX)
  })

  test('of another domain are not found', async () => {
    const surface = await accountSurface()
    const other = withPrefix('abcdef')
    const { row } = newDomain('other.example', surface.clock.nowMs)
    const added = await domainStore(surface.store.writes).add(row)
    await storeVisit({ ...surface, domainId: added?.id ?? 0 }, { ...machine(other), requestId: other })
    expect(await seenBy(surface, other)).toEqual([])
    expect(await seenBy(surface, 'abcdef')).toEqual([])
  })

  test('of a merged device whose visits have the other ID lead to it', async () => {
    const surface = await accountSurface()
    const [gone, kept] = [randomUUID(), randomUUID()]
    await storeVisit(surface, machine(kept))
    await surface.store.writes
      .insertInto('device_aliases')
      .values({
        domain_id: surface.domainId,
        device_id: uuidBytesOrNil(gone),
        merged_into: uuidBytesOrNil(kept),
        created_at: surface.clock.nowMs,
      })
      .execute()
    expect(await seenBy(surface, gone)).toEqual([`device ${gone}`])
  })
})

test('accounts are found by their beginning, and in small letters where they have those', async () => {
  const surface = await accountSurface()
  for (const userHid of ['ada-1', 'ada-2', 'Adam', 'ad', 'anonymous', 'Zoë 👩‍🔬'])
    await storeVisit(surface, { userHid })
  expect((await seenBy(surface, 'ada')).toSorted()).toEqual(['account ada-1', 'account ada-2'])
  expect((await seenBy(surface, 'ADA-')).toSorted()).toEqual(['account ada-1', 'account ada-2'])
  expect(await seenBy(surface, 'Ada')).toContain('account Adam')
  expect(await seenBy(surface, 'ad')).toEqual(['account ad'])
  expect(await seenBy(surface, 'anonymous')).toEqual([])
  expect(await seenBy(surface, 'Zoë 👩‍🔬')).toEqual(['account Zoë 👩‍🔬'])
})

test('addresses, local addresses and networks are found where visits came from them', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, directFrom('192.0.2.44'))
  await storeVisit(surface, { address: '2001:db8::44' })
  expect(await seenBy(surface, '192.0.2.44')).toEqual(['address 192.0.2.44', 'local_address 192.0.2.44'])
  expect(await seenBy(surface, '2001:DB8:0::44')).toEqual(['address 2001:db8::44'])
  expect(await seenBy(surface, '192.0.2.1/24')).toEqual(['network 192.0.2.0/24'])
  expect(await seenBy(surface, '2001:db8::/32')).toEqual(['network 2001:db8::/32'])
  expect(await found(surface, '192.0.2.45')).toEqual({
    ...NOTHING,
    absent: [{ kind: 'address', value: '192.0.2.45' }],
  })
  expect((await found(surface, '198.51.100.0/24')).absent).toEqual([
    { kind: 'network', value: '198.51.100.0/24' },
  ])
})

test('a country is found by code and name where visits came from it, counted or not', async () => {
  const surface = await accountSurface()
  await storeVisit(surface)
  const day = { domain_id: surface.domainId, span_hours: 24, dimension: 'country' }
  const sums = { identifications: 1, scored: 1, score_sum: 0, points_sum: 0 }
  await surface.store.writes
    .insertInto('rollups')
    .values({ ...day, start: Date.UTC(2026, 9, 1), value: 'Japan', ...sums })
    .execute()
  for (const typed of ['DE', 'germany', 'Germ'])
    expect(await seenBy(surface, typed)).toContain('country Germany')
  expect(await seenBy(surface, 'jp')).toEqual(['country Japan'])
  expect((await found(surface, 'FR')).absent).toEqual([{ kind: 'country', value: 'France' }])
})

describe('entries of lists', () => {
  const save = (surface: AccountSurface, kind: string, value: string) =>
    surface.ask({
      method: 'POST',
      url: '/account/domains/shop.example/lists',
      payload: { list: 'deny', kind, value },
    })

  test('are found by their value, whatever they are about', async () => {
    const surface = await accountSurface()
    const device = withPrefix('abcdef')
    const hash = '5'.repeat(64)
    for (const [kind, value] of [
      ['asn', '13335'],
      ['country', 'KP'],
      ['cidr', '198.51.100.0/24'],
      ['address', '198.51.100.7'],
      ['account', 'Mallory'],
      ['device', device],
      ['email_domain_hash', hash],
    ] as const)
      expect((await save(surface, kind, value)).statusCode).toBe(201)
    for (const [typed, kind, value] of [
      ['as13335', 'asn', '13335'],
      ['north korea', 'country', 'KP'],
      ['198.51.100.0/24', 'cidr', '198.51.100.0/24'],
      ['198.51.100.7', 'address', '198.51.100.7'],
      ['Mall', 'account', 'Mallory'],
      ['ABCDEF', 'device', device],
      [hash, 'email_domain_hash', hash],
    ] as const)
      expect((await found(surface, typed)).list_entries, typed).toMatchObject([{ list: 'deny', kind, value }])
  })

  test('an autonomous system is absent where no list has it', async () => {
    const surface = await accountSurface()
    expect(await found(surface, 'AS13335')).toEqual({ ...NOTHING, absent: [{ kind: 'asn', value: '13335' }] })
    await save(surface, 'asn', '13335')
    expect((await found(surface, 'AS13335')).absent).toEqual([])
  })
})

test('cases are found by number, by a part of the title and by what they are about, closed ones too', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'mallory' })
  const url = '/account/domains/shop.example/cases'
  const open = (value: string, title: string) =>
    surface.ask({ method: 'POST', url, payload: { subject: { type: 'account', value }, title } })
  await open('mallory', 'Stolen cards, 100% sure')
  await open('trent', 'Many refunds')
  await surface.ask({ method: 'PATCH', url: `${url}/2`, payload: { status: 'closed' } })
  const numbers = async (q: string) => (await found(surface, q)).cases.map(({ number }) => number)
  expect(await numbers('#1')).toEqual([1])
  expect(await numbers('case 2')).toEqual([2])
  expect(await numbers('STOLEN')).toEqual([1])
  expect(await numbers('0% s')).toEqual([1])
  expect(await numbers('%%%')).toEqual([])
  expect(await numbers('refunds')).toEqual([2])
  expect(await numbers('mallory')).toEqual([1])
  expect((await found(surface, 'case 3')).absent).toEqual([{ kind: 'case', value: '3' }])
})

test('findings are found by number, by name of the pattern and on the entity', async () => {
  const surface = await accountSurface()
  const device = withPrefix('abcdef')
  await storeVisit(surface, machine(device))
  const { id: row } = await surface.store.reads
    .selectFrom('identifications')
    .select('id')
    .executeTakeFirstOrThrow()
  const at = surface.clock.nowMs
  const change = await surface.store.writes.transaction().execute((transaction) =>
    recordFinding(
      transaction,
      { domainId: surface.domainId, type: 'device_id', value: device },
      'many_accounts_on_device',
      {
        grade: 'suspicious',
        count: 7,
        suspicious_from: 6,
        dangerous_from: 11,
        average_score: 0,
        first_at: at,
        last_at: at,
        rowIds: [row],
      },
      at,
    ),
  )
  const number = change?.after.id
  for (const typed of [`#${number}`, `pattern ${number}`, 'accounts on one', 'ABCDEF', device])
    expect(
      (await found(surface, typed)).findings.map(({ id }) => id),
      typed,
    ).toEqual([number])
  expect((await found(surface, 'pattern 999')).absent).toEqual([{ kind: 'finding', value: '999' }])
})

test.each([
  ['a wildcard', '%'],
  ['wildcards', '%%%___'],
  ['quotes', `'";--\`\\`],
  ['control characters', 'a\u0000b\u0007\u001b[31m'],
  ['only control characters', '\u0000\u0001'],
  ['half a character', 'abc\ud800'],
  ['emoji', '👩‍👩‍👧‍👦🏴‍☠️'],
  ['the last character', '\u{10ffff}'],
  ['a name of an object', '__proto__'],
  ['spaces', '    '],
  ['as much as is taken', 'e'.repeat(1_024)],
  ['as many digits', '9'.repeat(1_024)],
])('%s find nothing and break nothing', async (_, typed) => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'ada' })
  expect(await found(surface, typed)).toEqual(NOTHING)
})

test('more text than anything stored has is refused, and so is none', async () => {
  const surface = await accountSurface()
  expect((await find(surface, 'e'.repeat(1_025))).statusCode).toBe(400)
  expect((await find(surface, '')).statusCode).toBe(400)
})
