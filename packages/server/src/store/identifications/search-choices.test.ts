import { BlockList, isIPv4 } from 'node:net'
import { BAND_NAMES, bandOf, DETECTION_FLAGS, NIL_UUID } from '@inkling/contract'
import { CHOICE_NAMES, type ChoiceName, IdentificationFilters } from '@inkling/contract/account'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../../test/account/account-surface.ts'
import { fromDatacenter, leaking, overTor, storeVisit } from '../../../test/account/stored-visits.ts'
import { readCriteria } from '../../account/identification-criteria.ts'
import { ipv4ToNumber, ipv4ToText, ipv6ToBytes, ipv6ToText } from '../../lib/address.ts'
import { bitsToFlags } from '../../lib/flag-bits.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { countMatches } from './count-identifications.ts'
import { readVerdict } from './identification-row.ts'
import type { IdentificationRow } from './identifications.ts'
import { requestIdText } from './lookup.ts'
import { searchPage } from './search-identifications.ts'
import type { Order, SearchPosition } from './search-order.ts'

const COUNTRIES = ['Germany', 'France', "Côte d'Ivoire", null]
const BROWSERS = ['Chrome', 'Firefox']
const AGENTS = [null, 'verified', 'spoofed'] as const
const ADDRESSES = ['203.0.113.1', '203.0.113.9', '198.51.100.7', '2001:db8::1', '2001:db8:1::1', '']
const ACCOUNTS = ['ada', 'ben', '']

const uuidOf = (number: number): string => `0191e7a0-1111-4222-8333-${String(number).padStart(12, '0')}`
/** Some of a few, and nobody's. */
const IDS = [uuidOf(1), uuidOf(2), uuidOf(3), NIL_UUID]
const UNKNOWN_ID = uuidOf(9)
const ID_NAMES = ['device_id', 'visitor_id', 'session_id', 'cookie_id'] as const

/** The values that the filters of the property are made of; some are of no row. */
const VALUES: Record<ChoiceName, readonly string[]> = {
  request_id: [uuidOf(107), uuidOf(108), uuidOf(109).toUpperCase(), UNKNOWN_ID, NIL_UUID],
  device_id: [...IDS, UNKNOWN_ID],
  visitor_id: [...IDS, UNKNOWN_ID],
  session_id: [...IDS, UNKNOWN_ID],
  cookie_id: [...IDS, UNKNOWN_ID],
  user_hid: [...ACCOUNTS, 'eve'],
  ip: [
    ...ADDRESSES.filter(Boolean),
    '192.0.2.1',
    '203.0.113.0/24',
    '203.0.113.8/29',
    '192.0.2.0/24',
    '0.0.0.0/0',
    '2001:db8::/48',
    '2001:db8::/32',
  ],
  local_ip: ['203.0.113.1', '203.0.113.9', '91.0.0.7', '91.0.0.9'],
  band: BAND_NAMES,
  flag: ['tor', 'datacenter_ip', 'webrtc_leak', 'vpn'].filter((name) =>
    DETECTION_FLAGS.some(({ flag }) => flag === name),
  ),
  signal: ['tor', 'datacenter_ip', 'no_such_signal'],
  pattern: ['many_accounts_on_device', 'many_devices_on_account'],
  country: ['Germany', 'France', "Côte d'Ivoire", 'Iceland', ''],
  connection_type: ['direct', 'tor', 'vpn'],
  browser: [...BROWSERS, 'Safari'],
  os: ['Windows', 'Linux'],
  device_type: ['desktop', 'mobile'],
  agent_identity: ['any', 'verified', 'spoofed', 'signed'],
  agent_category: ['shopping', 'seo'],
  agent: ['Brew Buyer', 'Other'],
}

/** Visits with every mixture of values, one of them twice as risky as it is known, and two findings. */
async function fill(surface: AccountSurface): Promise<Map<number, readonly string[]>> {
  const { store, domainId, clock } = surface
  for (let index = 0; index < 48; index += 1) {
    const standing = AGENTS[index % AGENTS.length]
    await storeVisit(surface, {
      atMs: clock.nowMs + index,
      ...(index % 4 === 1 && overTor()),
      ...(index % 4 === 2 && fromDatacenter()),
      ...(index % 5 === 0 && leaking('91.0.0.7')),
      ...(standing && { agent: { standing, name: 'Brew Buyer', claims: [], category: 'shopping' as const } }),
    })
  }
  const rows = await store.reads.selectFrom('identifications').selectAll().orderBy('id').execute()
  for (const [index, { id, score, verdict }] of rows.entries())
    await store.writes
      .updateTable('identifications')
      .set({
        // The latest has none.
        request_id: index === 47 ? null : uuidBytesOrNil(uuidOf(100 + index)),
        ...idsOf(index),
        ...addressesOf(index),
        user_hid: ACCOUNTS[(index >> 2) % ACCOUNTS.length] ?? '',
        country: COUNTRIES[index % COUNTRIES.length] ?? null,
        browser: BROWSERS[index % 2] ?? '',
        score: index % 7 === 0 ? 999 : index % 11 === 0 ? 45 : score,
        // Evidence that reads like an entry.
        ...(index % 6 === 0 && { verdict: verdict.replace('"evidence":{', '"evidence":{"name":"tor",') }),
      })
      .where('id', '=', id)
      .execute()
  return withFindings(surface, domainId, rows)
}

/** The kinds of IDs differ in how they repeat, so that rows share one and not another. */
const idsOf = (index: number) =>
  Object.fromEntries(
    ID_NAMES.map((name, kind) => [name, uuidBytesOrNil(IDS[(index >> kind) % IDS.length] ?? NIL_UUID)]),
  )

/** Of either family or none, and behind some a local one. */
function addressesOf(index: number) {
  const address = ADDRESSES[index % ADDRESSES.length] ?? ''
  const ip = ipv4ToNumber(address) ?? null
  return {
    ip,
    ip6: ipv6ToBytes(address) ?? null,
    webrtc_leak_ip: index % 5 === 0 ? (ipv4ToNumber('91.0.0.7') ?? null) : null,
    web_rtc_ip: index % 4 === 0 ? ip : (ipv4ToNumber('91.0.0.9') ?? null),
  }
}

async function withFindings(
  { store, clock }: AccountSurface,
  domainId: number,
  rows: readonly IdentificationRow[],
): Promise<Map<number, readonly string[]>> {
  const patterns = new Map<number, string[]>()
  for (const [index, [pattern, resolved_at]] of (
    [
      ['many_accounts_on_device', null],
      ['many_devices_on_account', null],
      ['many_devices_on_account', clock.nowMs],
    ] as const
  ).entries()) {
    const { id } = await store.writes
      .insertInto('pattern_findings')
      .values({
        domain_id: domainId,
        pattern,
        entity_type: 'user_hid',
        entity_value: `entity ${index}`,
        grade: 'dangerous',
        count: 3,
        suspicious_from: 30,
        dangerous_from: 60,
        average_score: 70,
        first_at: 1,
        last_at: 2,
        judged_at: 3,
        recheck_at: null,
        resolved_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const row of rows.filter((_, at) => at % 8 === index || at % 9 === 0)) {
      await store.writes
        .insertInto('pattern_rows')
        .values({ domain_id: domainId, finding_id: id, identification_id: row.id })
        .execute()
      if (resolved_at === null) patterns.set(row.id, [...(patterns.get(row.id) ?? []), pattern])
    }
  }
  return patterns
}

/** The values that a row has for each filter. */
function valuesOf(
  row: IdentificationRow,
  patterns: readonly string[],
): Record<ChoiceName, readonly string[]> {
  const flags = Object.entries(bitsToFlags(row.flags)).flatMap(([flag, raised]) => (raised ? [flag] : []))
  return {
    request_id: [requestIdText(row.request_id)],
    device_id: [uuidToText(row.device_id)],
    visitor_id: [uuidToText(row.visitor_id)],
    session_id: [uuidToText(row.session_id)],
    cookie_id: [uuidToText(row.cookie_id)],
    user_hid: [row.user_hid],
    ip: textsOf(row.ip, row.ip6),
    local_ip: textsOf(row.webrtc_leak_ip ?? (row.web_rtc_ip === row.ip ? row.ip : null), null),
    band: [bandOf(row.score)],
    flag: flags,
    signal: readVerdict(row.verdict).entries.map(({ name }) => name),
    pattern: patterns,
    country: [row.country ?? ''],
    connection_type: [row.connection_type],
    browser: [row.browser],
    os: [row.os],
    device_type: [row.device_type],
    agent_identity: row.agent_identity === null ? [] : ['any', row.agent_identity],
    agent_category: row.agent_category === null ? [] : [row.agent_category],
    agent: row.agent === null ? [] : [row.agent],
  }
}

const textsOf = (ip: number | null, ip6: Uint8Array | null): string[] => [
  ...(ip === null ? [] : [ipv4ToText(ip)]),
  ...(ip6 === null ? [] : [ipv6ToText(ip6)]),
]

/** Whether an address is this one or in this network, as Node sees it. */
function isIn(address: string, asked: string): boolean {
  const [first = '', length] = asked.split('/')
  const list = new BlockList()
  if (length === undefined) list.addAddress(first, familyOf(first))
  else list.addSubnet(first, Number(length), familyOf(first))
  return list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

type Filters = Record<string, string[] | number | string>

/** Whether a row matches, by its values alone. */
function matches(row: IdentificationRow, patterns: readonly string[], filters: Filters): boolean {
  const values = valuesOf(row, patterns)
  const has = (name: ChoiceName, asked: readonly string[]) =>
    asked.some((one) =>
      name === 'ip'
        ? values.ip.some((address) => isIn(address, one))
        : values[name].includes(name === 'request_id' ? one.toLowerCase() : one),
    )
  return CHOICE_NAMES.every((name) => {
    const [any, none] = [filters[name], filters[`not_${name}`]] as (string[] | undefined)[]
    return (!any || has(name, any)) && !(none && has(name, none))
  })
}

/** A few filters with one to three values each, of which some are negations. */
const SOME_FILTERS: fc.Arbitrary<Filters> = fc
  .array(
    fc.constantFrom(...CHOICE_NAMES).chain((name) =>
      fc.record({
        name: fc.constantFrom(name, `not_${name}`),
        values: fc.uniqueArray(fc.constantFrom(...VALUES[name]), { minLength: 1, maxLength: 3 }),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((filters) => Object.fromEntries(filters.map(({ name, values }) => [name, values])))

const ORDERS: readonly Order[] = [
  { by: 'time', direction: 'desc' },
  { by: 'score', direction: 'asc' },
]

test('any filters find and count the rows that have any of their values and none of the negated ones', async () => {
  const surface = await accountSurface()
  const patterns = await fill(surface)
  const { store, domainId } = surface
  const all = await store.reads.selectFrom('identifications').selectAll().orderBy('id').execute()
  await fc.assert(
    fc.asyncProperty(SOME_FILTERS, fc.constantFrom(...ORDERS), async (filters, order) => {
      const expected = all.flatMap((row) =>
        matches(row, patterns.get(row.id) ?? [], filters) ? [row.id] : [],
      )
      const criteria = readCriteria(IdentificationFilters.parse(filters))
      const found: number[] = []
      let after: SearchPosition | undefined
      do {
        const page = await searchPage(store.reads, domainId, criteria, order, {
          after,
          limit: 10,
          scanMax: 20,
        })
        found.push(...page.rows.map(({ id }) => id))
        after = page.next
      } while (after)
      expect(found.toSorted((a, b) => a - b)).toEqual(expected)
      expect(await countMatches(store.reads, domainId, criteria)).toEqual({
        total: expected.length,
        complete: true,
      })
    }),
    { numRuns: 300 },
  )
})

test('a count says whether it is all: not past its limit, and not of rows that it did not reach', async () => {
  const surface = await accountSurface()
  for (let index = 0; index < 12; index += 1)
    await storeVisit(surface, { atMs: surface.clock.nowMs + index, ...(index < 3 && overTor()) })
  const count = (filters: Filters, bounds: Parameters<typeof countMatches>[3]) =>
    countMatches(
      surface.store.reads,
      surface.domainId,
      readCriteria(IdentificationFilters.parse(filters)),
      bounds,
    )
  expect(await count({}, { countMax: 12 })).toEqual({ total: 12, complete: true })
  expect(await count({}, { countMax: 11 })).toEqual({ total: 11, complete: false })
  const rare = { flag: ['tor'] }
  expect(await count(rare, { scanMax: 4, scans: 4 })).toEqual({ total: 3, complete: true })
  expect(await count(rare, { scanMax: 5, scans: 2 })).toEqual({ total: 1, complete: false })
  expect(await count(rare, { scanMax: 5, scans: 1 })).toEqual({ total: 0, complete: false })
  // The index of scores finds those of a band, however few they are.
  expect(await count({ band: ['dangerous'] }, { scanMax: 2, scans: 1 })).toEqual({ total: 3, complete: true })
})

test('the visits behind a local address are counted once each', async () => {
  const surface = await accountSurface()
  for (let index = 0; index < 3; index += 1) await storeVisit(surface, leaking('91.0.0.7'))
  await storeVisit(surface, leaking('91.0.0.8'))
  const criteria = readCriteria(IdentificationFilters.parse({ local_ip: ['91.0.0.7'] }))
  expect(await countMatches(surface.store.reads, surface.domainId, criteria)).toEqual({
    total: 3,
    complete: true,
  })
})
