import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { countIdentifications } from '../../jobs/rollups/count-identifications.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { score } from '../../score/score.ts'
import { readCounts } from '../roll-ups/overview.ts'
import { identificationRow } from './identification-row.ts'
import { identificationStore } from './identifications.ts'
import { lookupOf } from './lookup.ts'
import { removeOlder } from './remove-identifications.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
/** A zero byte, a lone surrogate, and text that looks like an escaped zero byte. */
const STRANGE = 'a\0b\ud800 \\u0000'

test('accounts with any characters are found and never confused', async () => {
  const { store, domainId, record } = await temporaryDomain()
  const accounts = [
    '\0',
    '\0\0',
    '\uFFFD',
    '\uFDD0',
    '\uFDD00',
    '\uFDD01',
    '\uFDD0\0',
    STRANGE.toWellFormed(),
  ]
  for (const userHid of accounts) await record({ userHid })
  for (const userHid of accounts) {
    const lookup = lookupOf('user_hid', userHid)
    const { rows } = await identificationStore(store.reads).search(domainId, lookup, 10, 0)
    expect(rows.map(({ user_hid }) => user_hid)).toEqual([userHid])
  }
})

test('signals are counted whatever characters the evidence has', async () => {
  const { store, domainId } = await temporaryDomain()
  const visit = identified({ requestId: randomUUID(), atMs: NOW - HOUR_MS / 2 })
  const row = identificationRow(score({ ...visit, domain: { ...visit.domain, id: domainId } }))
  const entry = { name: 'tor', description: STRANGE, weight: 5, value: 5, evidence: { [STRANGE]: STRANGE } }
  const verdict = JSON.stringify({ ...(JSON.parse(row.verdict) as object), entries: [entry] })
  await store.commit({ type: 'identification', row: { ...row, verdict }, snapshot: undefined, outbox: [] })

  const signals = () =>
    readCounts(store.reads, domainId, (counts) =>
      counts.values('signal', { fromMs: NOW - HOUR_MS, toMs: NOW }, { limit: 5, rankedFrom: undefined }),
    )
  const counted = [{ value: 'tor', identifications: 1, points_sum: 5 }]
  expect(await signals()).toMatchObject(counted)
  expect(await countIdentifications(store, { settledAfterMs: 0, now: () => NOW })).toBe(1)
  expect(await signals()).toMatchObject(counted)
})

test('campaigns that look like escaped characters are counted apart, and their visits can be removed', async () => {
  const { store, domainId } = await temporaryDomain()
  const campaigns = [String.raw`\u0000`, String.raw`\ud800`, '\ufffd', String.raw`\\u0000`]
  for (const utm_campaign of campaigns) {
    const visit = identified({ requestId: randomUUID(), atMs: NOW - HOUR_MS / 2 })
    const row = identificationRow(score({ ...visit, domain: { ...visit.domain, id: domainId } }))
    await store.commit({
      ...{ type: 'identification', snapshot: undefined, outbox: [] },
      row: { ...row, utm_campaign },
    })
  }
  await countIdentifications(store, { settledAfterMs: 0, now: () => NOW })
  const counted = () =>
    store.reads
      .selectFrom('rollups')
      .select(['value', 'identifications'])
      .where('dimension', '=', 'campaign')
      .where('span_hours', '=', 1)
      .execute()
  const expected = campaigns.map((value) => ({ value, identifications: 1 }))
  expect(await counted()).toEqual(expect.arrayContaining(expected))
  await removeOlder(store, NOW)
  expect(await counted()).toEqual([])
})
