import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { storeLaterVersion } from '../../../test/store-later-version.ts'
import { type TestDomain, temporaryDomain } from '../../../test/temporary-surface.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import { erase } from '../../store/erasure/erase.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'
import { removeOlder } from '../../store/identifications/remove-identifications.ts'
import { countAgain, notedChanges, rollupProgress } from '../../store/roll-ups/counts.ts'
import { readCounts } from '../../store/roll-ups/overview.ts'
import { countIdentifications } from './count-identifications.ts'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const settings = { settledAfterMs: 80_000, now: () => NOW }
const DEVICES = Array.from({ length: 7 }, () => randomUUID())
const COUNTRIES = ['Germany', 'France', '']

/** Visits over eight days, of a few devices that return after minutes and after days. */
async function visits({ record }: TestDomain, count: number, lastMs = NOW - 90_000): Promise<string[]> {
  const requestIds: string[] = []
  for (let index = 0; index < count; index += 1) {
    const deviceId = index % 11 === 0 ? NIL_UUID : (DEVICES[(index * index) % 7] ?? NIL_UUID)
    requestIds.push(
      await record({
        atMs: lastMs - (count - index) * Math.floor((8 * DAY_MS) / count),
        identity: { deviceId, visitorId: deviceId, components: [] },
        ip: {
          ...identified().ip,
          country: COUNTRIES[index % 3] ?? '',
          hosting: index % 4 === 0,
          tor: index % 5 === 0 || undefined,
        },
      }),
    )
  }
  return requestIds
}

/** Counts all rows in one go, for comparison: the counts must be identical. */
async function countedAtOnce(domain: TestDomain) {
  const fresh = await temporaryDomain()
  const rows = await domain.store.reads.selectFrom('identifications').selectAll().orderBy('id').execute()
  for (const { id, ...row } of rows)
    await fresh.store.commit({ type: 'identification', row, snapshot: undefined, outbox: [] })
  await countIdentifications(fresh.store, { ...settings, settledAfterMs: -1 })
  return allCounts(fresh)
}

const allCounts = ({ store }: TestDomain) =>
  store.reads
    .selectFrom('rollups')
    .selectAll()
    .orderBy('span_hours')
    .orderBy('dimension')
    .orderBy('start')
    .orderBy('value')
    .execute()

/** The expected counts, from the rows in memory. */
async function byHand({ store }: TestDomain, fromMs: number, toMs: number) {
  const rows = await store.reads.selectFrom('identifications').selectAll().execute()
  const inRange = rows.filter(({ created_at }) => created_at >= fromMs && created_at < toMs)
  const device = (row: (typeof rows)[number]) => uuidToText(row.device_id)
  const named = inRange.filter((row) => device(row) !== NIL_UUID)
  const before = new Set(rows.filter(({ created_at }) => created_at < fromMs).map(device))
  const different = new Set(named.map(device))
  return {
    identifications: inRange.length,
    scoreSum: inRange.reduce((sum, row) => sum + row.score, 0),
    german: inRange.filter(({ country }) => country === 'Germany').length,
    overTor: inRange.filter(({ verdict }) => verdict.includes('"name":"tor"')).length,
    devices: different.size,
    freshDevices: [...different].filter((id) => !before.has(id)).length,
  }
}

const byCounts = ({ store, domainId }: TestDomain, fromMs: number, toMs: number) =>
  readCounts(store.reads, domainId, async (counts) => {
    const range = { fromMs, toMs }
    const bands = await counts.bands(range, DAY_MS)
    const of = async (dimension: 'country' | 'signal', value: string) =>
      (await counts.sumsOf(dimension, range, [value])).get(value)?.identifications ?? 0
    const devices = await counts.distinctInAll('device', range)
    return {
      identifications: bands.reduce((sum, count) => sum + count.identifications, 0),
      scoreSum: bands.reduce((sum, count) => sum + count.score_sum, 0),
      german: await of('country', 'Germany'),
      overTor: await of('signal', 'tor'),
      devices: devices.different,
      freshDevices: devices.fresh,
    }
  })

const MIDNIGHT = Date.UTC(2026, 10, 21)
const RANGES = [
  [MIDNIGHT - 8 * DAY_MS, NOW + HOUR_MS / 2],
  [MIDNIGHT - 4 * DAY_MS, MIDNIGHT - DAY_MS + 5 * HOUR_MS],
  [MIDNIGHT - 2 * DAY_MS - 5 * HOUR_MS, MIDNIGHT - 7 * HOUR_MS],
  [MIDNIGHT - 9 * HOUR_MS, MIDNIGHT + 10 * HOUR_MS],
] as const

async function expectSameCounts(domain: TestDomain): Promise<void> {
  for (const [fromMs, toMs] of RANGES)
    expect(await byCounts(domain, fromMs, toMs)).toEqual(await byHand(domain, fromMs, toMs))
}

async function* oneByOne<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

describe('the counts equal a count of the rows', () => {
  test('before, during and after counting', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 300)
    await expectSameCounts(domain)
    let batches = 0
    const stopped = () => {
      batches += 1
      return batches > 3
    }
    expect(await countIdentifications(domain.store, { ...settings, batchSize: 40, stopped })).toBe(120)
    await expectSameCounts(domain)
    expect(await countIdentifications(domain.store, { ...settings, batchSize: 40 })).toBe(180)
    await expectSameCounts(domain)
    expect(await countIdentifications(domain.store, settings)).toBe(0)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })

  test('for one domain, without the rows of another', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 20)
    await countIdentifications(domain.store, settings)
    expect(
      await readCounts(domain.store.reads, domain.domainId + 1, (counts) =>
        counts.bands({ fromMs: 0, toMs: NOW }, DAY_MS),
      ),
    ).toEqual([])
  })

  test('when they are read while the job commits', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 20)
    let counted = 0
    const bands = await readCounts(domain.store.reads, domain.domainId, async (counts) => {
      counted += await countIdentifications(domain.store, settings)
      return counts.bands({ fromMs: 0, toMs: NOW + HOUR_MS }, DAY_MS)
    })
    expect(counted).toBe(20)
    expect(bands.reduce((sum, { identifications }) => sum + identifications, 0)).toBe(20)
  })

  test('when a row is refined: it is counted once, in its last version', async () => {
    const domain = await temporaryDomain()
    const requestId = await domain.record({ atMs: NOW - 10_000 })
    expect(await countIdentifications(domain.store, settings)).toBe(0)
    const refined = score(
      identified({
        requestId,
        atMs: NOW - 10_000,
        domain: { ...identified().domain, id: domain.domainId },
        ip: { ...identified().ip, tor: true },
      }),
    )
    await storeLaterVersion(domain.store, identificationRow(refined, NOW))
    await expectSameCounts(domain)
    expect(await countIdentifications(domain.store, { ...settings, now: () => NOW + 80_000 })).toBe(1)
    await expectSameCounts(domain)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })

  test('when counted rows changed and all are counted again', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 30)
    await countIdentifications(domain.store, settings)
    const { store } = domain
    const [first] = await store.reads.selectFrom('identifications').selectAll().limit(1).execute()
    if (!first) throw new Error('no row')
    const { id, ...row } = { ...first, score: 77 }
    await storeLaterVersion(store, { ...row, ver: row.ver + 1 })
    await countAgain(store.writes, 0)
    await expectSameCounts(domain)
    expect(await countIdentifications(store, settings)).toBe(30)
    await expectSameCounts(domain)
  })

  test('when a re-scoring was killed after it changed counted rows', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 30)
    await countIdentifications(domain.store, settings)
    const { store } = domain
    const [first] = await store.reads.selectFrom('identifications').selectAll().limit(1).execute()
    if (!first) throw new Error('no row')
    const { id, ...row } = { ...first, score: 77 }
    for await (const changed of notedChanges(store, () => NOW).reading(oneByOne([row])))
      await storeLaterVersion(store, { ...changed, ver: changed.ver + 1 })
    // It may still be at work.
    expect(await countIdentifications(store, { ...settings, now: () => NOW + MINUTE_MS })).toBe(0)
    expect(await countIdentifications(store, { ...settings, now: () => NOW + 3 * MINUTE_MS })).toBe(30)
    await expectSameCounts(domain)
    expect(await countIdentifications(store, { ...settings, now: () => NOW + 9 * MINUTE_MS })).toBe(0)
  })

  test('when a re-scoring is killed while another one, which began before, has ended', async () => {
    const { store } = await temporaryDomain()
    const clock = { nowMs: NOW }
    const noted = async () =>
      (await store.reads.selectFrom('rollup_progress').select('changing_at').executeTakeFirst())?.changing_at
    const [first, second] = [0, 1].map(() => notedChanges(store, () => clock.nowMs))
    for await (const _ of first?.reading(oneByOne([1])) ?? []);
    // It reads rows of which none changes, and is at work all the same.
    for await (const _ of second?.reading(oneByOne([1, 2, 3])) ?? []) clock.nowMs += MINUTE_MS
    await first?.end()
    expect(await noted()).toBe(NOW + 2 * MINUTE_MS)
    await second?.end()
    expect(await noted()).toBeNull()
  })

  test('when a row lies far in the future: later rows are still counted', async () => {
    const domain = await temporaryDomain()
    await domain.record({ atMs: NOW + DAY_MS })
    await visits(domain, 5)
    expect(await countIdentifications(domain.store, settings)).toBe(6)
  })
})

test('rows that settle during a run wait for the next one, so a run under load ends', async () => {
  const domain = await temporaryDomain()
  for (let second = 0; second < 20; second += 1) await domain.record({ atMs: NOW - 85_000 + second * 1_000 })
  let clock = NOW
  const now = () => {
    clock += 1_000
    return clock
  }
  const run = () => countIdentifications(domain.store, { ...settings, now, batchSize: 3 })
  expect(await run()).toBe(7)
  expect(await run()).toBe(1)
})

describe('each identification is counted once', () => {
  test('when two processes count at the same time', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 200)
    const again = (): Promise<number> => countIdentifications(domain.store, { ...settings, batchSize: 15 })
    const counted = await Promise.all([again(), again(), again()])
    const rest = await again()
    expect(counted.reduce((sum, count) => sum + count, rest)).toBe(200)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })

  test('when the counts were computed but could not be written', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 50)
    const { store } = domain
    await store.writes.schema.alterTable('rollups').renameTo('away').execute()
    await expect(countIdentifications(store, settings)).rejects.toThrow('rollups')
    expect(await rollupProgress(store.reads)).toEqual({ last_id: 0, removals: 0 })
    await store.writes.schema.alterTable('away').renameTo('rollups').execute()
    expect(await countIdentifications(store, settings)).toBe(50)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })
})

describe('what is removed is no longer counted', () => {
  test.each([
    ['device_id', () => DEVICES[1] ?? ''],
    ['visitor_id', () => DEVICES[2] ?? ''],
    ['request_id', (ids: string[]) => ids[1] ?? ''],
    ['ip', () => '91.0.0.1'],
  ] as const)('by %s, whether counted or not, and later visits count as new again', async (type, pick) => {
    const domain = await temporaryDomain()
    const ids = await visits(domain, 120)
    for (const share of [0, 40, 1_000]) {
      let batches = 0
      const stopped = () => {
        batches += 1
        return batches * 20 > share
      }
      await countIdentifications(domain.store, { ...settings, batchSize: 20, stopped })
      const value = pick(ids.slice(share / 20))
      await erase(domain.store, domain.domainId, { type, value })
      await expectSameCounts(domain)
    }
    await countIdentifications(domain.store, settings)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })

  test('by age, without a trace', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 120)
    await countIdentifications(domain.store, settings)
    await removeOlder(domain.store, MIDNIGHT - 3 * DAY_MS - 5 * HOUR_MS)
    await expectSameCounts(domain)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
    await removeOlder(domain.store, NOW)
    expect(await allCounts(domain)).toEqual([])
  })

  test('and a row that reuses a removed ID is counted', async () => {
    const domain = await temporaryDomain()
    const ids = await visits(domain, 10)
    await countIdentifications(domain.store, settings)
    const value = ids.at(-1) ?? ''
    await erase(domain.store, domain.domainId, { type: 'request_id', value })
    await domain.record({ atMs: NOW - 85_000 })
    expect(await countIdentifications(domain.store, settings)).toBe(1)
    await expectSameCounts(domain)
  })

  test('while it is being counted', async () => {
    const domain = await temporaryDomain()
    await visits(domain, 150)
    const counting = countIdentifications(domain.store, { ...settings, batchSize: 10 })
    const value = DEVICES[1] ?? ''
    await erase(domain.store, domain.domainId, { type: 'device_id', value })
    await counting
    await countIdentifications(domain.store, settings)
    await expectSameCounts(domain)
    expect(await allCounts(domain)).toEqual(await countedAtOnce(domain))
  })
})
