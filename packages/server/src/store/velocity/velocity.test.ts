import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countedStore } from '../../../test/counted-store.ts'
import {
  compareCounts,
  type MadeVisit,
  madeVisits,
  operationOf,
  storeVisits,
} from '../../../test/made-visits.ts'
import { numbersFrom } from '../../../test/numbers-from.ts'
import { databaseSettings } from '../../../test/test-database.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { erase } from '../erasure/erase.ts'
import { readVelocity } from './read-velocity.ts'
import { removeOldVelocity } from './remove-old-velocity.ts'
import { velocityOf } from './velocity-column.ts'

const WRITER = fileURLToPath(new URL('../../../test/velocity-writer.ts', import.meta.url))
const NOW = Date.UTC(2026, 10, 20, 12)

/** Stores visits in a process of its own, which is killed once it has said that so many are stored. */
async function storeUntilKilled(
  { directory, domainId }: { directory: string; domainId: number },
  visits: readonly MadeVisit[],
  killedAfter: number,
): Promise<void> {
  const { DATABASE_URL = '' } = await databaseSettings(directory)
  const child = spawn(process.execPath, [WRITER, directory, DATABASE_URL, String(domainId)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  child.stdin.end(JSON.stringify(visits))
  for await (const line of createInterface(child.stdout))
    if (Number(line) >= killedAfter) {
      child.kill('SIGKILL')
      break
    }
  expect(await ended).toEqual([null, 'SIGKILL'])
}

test('counts equal those of a list of all visits after a kill, on two nodes, with every visit sent twice', async () => {
  const place = await countedStore()
  const { store, domainId, hashes } = place
  const visits = madeVisits(3_000, {
    people: 400,
    firstMs: NOW - 9 * DAY_MS,
    spanMs: 9 * DAY_MS,
    random: numbersFrom(22),
  })
  // The end is close together, so that the small windows have something.
  const burst = madeVisits(600, { people: 40, firstMs: NOW, spanMs: 20 * 60_000, random: numbersFrom(5) })
  const all = [...visits, ...burst.map((visit) => ({ ...visit, number: visit.number + visits.length }))]
  await storeUntilKilled(place, all, 1_500)

  const nodes = [store, await place.anotherNode()]
  const operations = all.map((visit) => operationOf(domainId, hashes, visit))
  const outcomes = await storeVisits(nodes, operations)
  expect(outcomes.filter((outcome) => outcome === 'duplicate').length).toBeGreaterThanOrEqual(1_500)
  expect(new Set(await storeVisits(nodes, operations.slice(0, 200)))).toEqual(new Set(['duplicate']))

  const { wrong, largestError, estimated } = await compareCounts(store, domainId, {
    visits: all,
    atMs: NOW + 20 * 60_000,
    every: 2,
  })
  expect(wrong).toEqual([])
  expect(estimated).toBeGreaterThan(0)
  expect(largestError).toBeLessThan(0.25)
})

test('each of many visits at once sees exactly those before it, whichever node stores it', async () => {
  const place = await countedStore()
  const { store, domainId, hashes } = place
  const count = 150
  const operations = Array.from({ length: count }, (_, index) =>
    operationOf(domainId, hashes, {
      number: index,
      atMs: NOW,
      device: index + 1,
      cookie: index + 1,
      account: 7,
      address: index % 256,
      country: 1,
    }),
  )
  await storeVisits([store, await place.anotherNode()], operations)
  const rows = await store.reads.selectFrom('identifications').select(['velocity']).execute()
  const seen = rows.map((row) => velocityOf(row).prefix)
  const everyNumber = Array.from({ length: count }, (_, index) => index + 1)
  const sorted = (numbers: (number | undefined)[]) => numbers.toSorted((a, b) => (a ?? 0) - (b ?? 0))
  for (const counter of ['visits', 'devices', 'cookies', 'addresses'] as const)
    expect(sorted(seen.map((counts) => counts?.[counter].m5))).toEqual(everyNumber)
  expect(new Set(seen.map((counts) => counts?.accounts.d7))).toEqual(new Set([1]))
  expect(sorted(rows.map((row) => velocityOf(row).account?.devices.h1))).toEqual(everyNumber)
})

test('a clock that was years ahead hides no visit after it', async () => {
  const { store, domainId, hashes } = await countedStore()
  const visit = { device: 1, cookie: 1, account: 1, address: 1, country: 1 }
  for (const [number, atMs] of [NOW + 1_000 * DAY_MS, NOW, NOW + 1].entries())
    await storeVisits([store], [operationOf(domainId, hashes, { ...visit, number, atMs })])
  const rows = await store.reads.selectFrom('identifications').select('velocity').orderBy('id').execute()
  expect(rows.map((row) => velocityOf(row).device?.visits.m5)).toEqual([1, 1, 2])
})

test('an erased cookie is counted nowhere: its own counts and those of its device are gone, the address has one less', async () => {
  const { store, domainId, hashes } = await countedStore()
  const visit = { atMs: NOW, account: 3, address: 5, country: 1 }
  await storeVisits(
    [store],
    [
      operationOf(domainId, hashes, { ...visit, number: 1, device: 1, cookie: 11 }),
      operationOf(domainId, hashes, { ...visit, number: 2, device: 2, cookie: 12 }),
    ],
  )
  const cookie = '30000000-0000-4000-8000-00000000000b'
  const read = (subject: 'cookie' | 'device' | 'address' | 'account', value: string) =>
    readVelocity(store, domainId, { subject, value, atMs: NOW })
  expect(await read('cookie', cookie)).toMatchObject({ visits: { d7: 1 } })
  expect(await read('address', '91.0.0.5')).toMatchObject({ cookies: { d7: 2 }, devices: { d7: 2 } })

  await erase(store, domainId, { type: 'cookie_id', value: cookie })
  expect(await read('cookie', cookie)).toBeUndefined()
  expect(await read('device', '10000000-0000-4000-8000-000000000001')).toBeUndefined()
  expect(await read('device', '10000000-0000-4000-8000-000000000002')).toMatchObject({ visits: { d7: 1 } })
  expect(await read('address', '91.0.0.5')).toMatchObject({ cookies: { d7: 1 }, devices: { d7: 1 } })

  await erase(store, domainId, { type: 'user_hid', value: 'account-3' })
  expect(await read('account', 'account-3')).toBeUndefined()
  expect(await read('address', '91.0.0.5')).toMatchObject({ visits: { d7: 2 }, accounts: { d7: 0 } })

  // Nothing of it is remembered outside of the table.
  await storeVisits([store], [operationOf(domainId, hashes, { ...visit, number: 3, device: 1, cookie: 11 })])
  expect(await read('cookie', cookie)).toMatchObject({ visits: { d7: 1 }, accounts: { d7: 1 } })
  expect(await read('account', 'account-3')).toMatchObject({ visits: { d7: 1 }, devices: { d7: 1 } })
  expect(await read('address', '91.0.0.5')).toMatchObject({ visits: { d7: 3 }, cookies: { d7: 1 } })
})

test('what was not seen for longer than the largest window is removed, and nothing else', async () => {
  const { store, domainId, hashes } = await countedStore()
  const visit = { account: 0, country: 1 }
  await storeVisits(
    [store],
    [
      operationOf(domainId, hashes, {
        ...visit,
        number: 1,
        atMs: NOW - DAY_MS,
        device: 1,
        cookie: 1,
        address: 1,
      }),
      operationOf(domainId, hashes, { ...visit, number: 2, atMs: NOW, device: 2, cookie: 2, address: 1 }),
    ],
  )
  // The device, the visitor and the cookie of the first visit; the second was at the same address.
  expect(await removeOldVelocity(store, NOW - HOUR_MS)).toBe(3)
  expect(await removeOldVelocity(store, NOW - HOUR_MS)).toBe(0)
})
