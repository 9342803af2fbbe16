import {
  EntitySummary,
  IdentificationDetail,
  IdentificationList,
  type PatternFinding,
  PatternFindings,
} from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { directFrom, leaking, storeVisit } from '../../test/account/stored-visits.ts'
import { runPatterns } from '../jobs/patterns/run-patterns.ts'

/* A ring: accounts that share devices behind one local address. */

const BASE = '/account/domains/shop.example'
const RING = '91.10.0.7'
const OTHER_RING = '91.10.0.8'
const ACCOUNTS = 12
const device = (index: number): string => `7d3b1f52-8c4e-4a6b-9d0e-${String(index).padStart(12, '0')}`

interface Ring {
  address: string
  /** One of each account. */
  requestIds: string[]
  devices: string[]
}

/** Accounts on three devices. One of them comes from the address itself, the others leak it behind a proxy. */
async function storeRing(surface: AccountSurface, address: string, first: number): Promise<Ring> {
  const requestIds: string[] = []
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const deviceId = device(first + (index % 3))
    const network =
      index === 0 ? directFrom(address) : { ...leaking(address), address: `93.${first}.${index}.1` }
    const given = {
      userHid: `account-${first + index}`,
      identity: { deviceId, visitorId: deviceId, components: [] },
    }
    requestIds.push((await storeVisit(surface, { ...given, ...network })).requestId)
  }
  return { address, requestIds, devices: [0, 1, 2].map((index) => device(first + index)) }
}

/** Two rings and a stranger. */
async function shopWithRings() {
  const surface = await accountSurface()
  const ring = await storeRing(surface, RING, 100)
  const other = await storeRing(surface, OTHER_RING, 200)
  const stranger = await storeVisit(surface, { userHid: 'stranger', ...directFrom('91.10.0.9') })
  await runPatterns(surface.store, { settledAfterMs: 0, now: () => surface.clock.nowMs })
  const read = async <Answer>(schema: { parse(given: unknown): Answer }, path: string, query = {}) => {
    const answer = await surface.ask({ url: `${BASE}${path}`, query, token: surface.tokens.analyst })
    expect(answer.statusCode, answer.body).toBe(200)
    return schema.parse(answer.json())
  }
  const query = { pattern: 'many_accounts_on_local_ip' }
  const { data } = await read(PatternFindings, '/patterns', query)
  const findingOf = (address: string): PatternFinding => {
    const found = data.find(({ entity_value }) => entity_value === address)
    if (!found) throw new Error(`no finding on ${address}`)
    return found
  }
  return { read, ring, finding: findingOf(RING), otherFinding: findingOf(OTHER_RING), other, stranger }
}

test('a local address is an entity of its own, with every visit behind it', async () => {
  const { read, finding } = await shopWithRings()
  const summary = await read(EntitySummary, '/entity', { type: 'local_ip', value: RING })
  expect(summary).toMatchObject({ type: 'local_ip', value: RING, identifications: ACCOUNTS, complete: true })
  expect(summary.patterns).toContainEqual(finding)
  expect(summary.linked.user_hid).toHaveLength(ACCOUNTS)
  expect(summary.graph.nodes[0]).toEqual({ type: 'local_ip', value: RING, identifications: ACCOUNTS })
  const neighbours = summary.graph.edges.filter(({ from, to }) => from === 0 || to === 0)
  expect(neighbours.some(({ identifications }) => identifications === ACCOUNTS / 3)).toBe(true)
})

test('a local address finds its visits, with other filters as well', async () => {
  const { read, ring } = await shopWithRings()
  const found = async (query: object) =>
    (await read(IdentificationList, '/identifications', query)).data.map(({ request_id }) => request_id)
  expect((await found({ local_ip: RING })).toSorted()).toEqual(ring.requestIds.toSorted())
  expect(await found({ local_ip: RING, user_hid: 'account-105' })).toEqual([ring.requestIds[5]])
  expect(await found({ local_ip: RING, ip: RING })).toEqual([ring.requestIds[0]])
})

test('every member of a ring leads back to its finding: accounts, devices, addresses and visits', async () => {
  const { read, ring, finding, otherFinding } = await shopWithRings()
  const members = [
    ...Array.from({ length: ACCOUNTS }, (_, index) => ['user_hid', `account-${100 + index}`] as const),
    ...ring.devices.map((id) => ['device_id', id] as const),
    ...ring.devices.map((id) => ['visitor_id', id] as const),
    ['ip', '93.100.1.1'] as const,
  ]
  for (const [type, value] of members) {
    const { patterns, part_of } = await read(EntitySummary, '/entity', { type, value })
    expect(part_of, value).toContainEqual(finding)
    expect([...patterns, ...part_of].map(({ id }) => id)).not.toContain(otherFinding.id)
  }
  for (const requestId of ring.requestIds) {
    const { patterns } = await read(IdentificationDetail, `/identifications/${requestId}`)
    expect(patterns).toContainEqual(finding)
  }
})

test('a stranger has no part in a ring', async () => {
  const { read, stranger } = await shopWithRings()
  const { patterns, part_of } = await read(EntitySummary, '/entity', { type: 'user_hid', value: 'stranger' })
  expect([patterns, part_of]).toEqual([[], []])
  expect((await read(IdentificationDetail, `/identifications/${stranger.requestId}`)).patterns).toEqual([])
})

test('the identifications of a finding are its evidence, without another finding of the same pattern', async () => {
  const { read, ring, finding } = await shopWithRings()
  const { data } = await read(IdentificationList, '/identifications', { finding: finding.id })
  expect(data.map(({ request_id }) => request_id).toSorted()).toEqual(ring.requestIds.toSorted())
  const ofPattern = await read(IdentificationList, '/identifications', { pattern: finding.pattern })
  expect(ofPattern.data).toHaveLength(ACCOUNTS * 2)
  expect((await read(IdentificationList, '/identifications', { finding: 999 })).data).toEqual([])
})
