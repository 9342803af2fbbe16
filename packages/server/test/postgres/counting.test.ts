import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../src/lib/durations.ts'
import { openPool } from '../../src/store/postgres/pools.ts'
import type { Store } from '../../src/store/store.ts'
import { decodeState, encodeState } from '../../src/store/velocity/velocity-state.ts'
import { VELOCITY_SUBJECTS } from '../../src/visit/velocity.ts'
import { countedStore } from '../counted-store.ts'
import { compareCounts, type MadeVisit, madeVisits, operationOf, storeVisits } from '../made-visits.ts'
import { numbersFrom } from '../numbers-from.ts'
import { databaseSettings } from '../test-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const VISIT: Omit<MadeVisit, 'number'> = {
  atMs: NOW,
  device: 1,
  cookie: 1,
  account: 1,
  address: 1,
  country: 1,
}
/** More commits than a node reads after it saw another one. */
const ALONE = 60

async function installation() {
  const one = await countedStore()
  async function connect() {
    const { DATABASE_URL = '' } = await databaseSettings(one.directory)
    const pool = openPool(DATABASE_URL, 'requests')
    onTestFinished(() => pool.end())
    const client = await pool.connect()
    onTestFinished(() => client.release())
    return client
  }
  /** One visit a commit. */
  async function storeInTurn(node: Store, visits: readonly MadeVisit[]): Promise<void> {
    for (const visit of visits) await storeVisits([node], [operationOf(one.domainId, one.hashes, visit)])
  }
  /** Begins a transaction that has counted one more visit of the device. */
  async function changeDevice() {
    const client = await connect()
    await client.query('begin')
    const { rows } = await client.query<{ hash: Uint8Array; state: Uint8Array }>(
      'select hash, state from velocity where domain_id = $1 and subject = $2 for update',
      [one.domainId, VELOCITY_SUBJECTS.indexOf('device')],
    )
    const [row] = rows
    if (!row) throw new Error('the device was not counted')
    const state = decodeState('device', row.state)
    state.visits.values = state.visits.values.map((count) => count + 1)
    await client.query('update velocity set state = $3 where domain_id = $1 and hash = $2', [
      one.domainId,
      row.hash,
      encodeState(state),
    ])
    const [{ locks } = { locks: 'pg_locks' }] = (
      await client.query<{ locks: string }>(
        "select coalesce(to_regclass('citus_locks'), 'pg_locks') as locks",
      )
    ).rows
    const waiting = async () => (await client.query(`select 1 from ${locks} where not granted`)).rows.length
    return {
      client,
      /** Resolves once another transaction waits. */
      isAwaited: () => expect.poll(waiting).toBeGreaterThan(0),
      /** How many visits of the device are counted. */
      async visits(): Promise<number> {
        const stored = await client.query<{ state: Uint8Array }>(
          'select state from velocity where domain_id = $1 and hash = $2',
          [one.domainId, row.hash],
        )
        const counted = decodeState('device', stored.rows[0]?.state ?? new Uint8Array())
        return counted.visits.values.reduce((sum, count) => sum + count, 0)
      },
    }
  }
  return { ...one, storeInTurn, changeDevice }
}

test('counts are right however long a node stores alone, and whichever node comes between', async () => {
  const { store, domainId, anotherNode, storeInTurn } = await installation()
  const nodes = [store, await anotherNode()] as const
  const visits = madeVisits(6 * ALONE, {
    people: 12,
    firstMs: NOW - DAY_MS,
    spanMs: DAY_MS,
    random: numbersFrom(3),
  })
  // Alone, the other alone, in turn, then alone again.
  const nodeOf = (index: number) =>
    index < 2 * ALONE ? 0 : index < 3 * ALONE ? 1 : index < 4 * ALONE ? index % 2 : 0
  for (const [index, visit] of visits.entries()) await storeInTurn(nodes[nodeOf(index)] ?? store, [visit])
  const { wrong, exact } = await compareCounts(store, domainId, { visits, atMs: NOW, every: 1 })
  expect(wrong).toEqual([])
  expect(exact).toBeGreaterThan(100)
})

test('a commit of an older release, which locks states but not their domain, is counted', async () => {
  const { store, domainId, storeInTurn, hashes, changeDevice } = await installation()
  await storeInTurn(store, [
    { ...VISIT, number: 1 },
    { ...VISIT, number: 2 },
  ])
  const older = await changeDevice()
  const storing = storeVisits([store], [operationOf(domainId, hashes, { ...VISIT, number: 3 })])
  // The commit counts from memory and waits for the state, on a cluster at a worker.
  await older.isAwaited()
  await older.client.query('update domains set remaining = remaining - 1 where id = $1', [domainId])
  await older.client.query('commit')
  expect(await storing).toEqual(['stored'])
  expect(await older.visits()).toBe(4)
})

test('a node that begins counts on from a commit whose worker has yet to end it', async () => {
  const { store, domainId, storeInTurn, hashes, anotherNode, changeDevice } = await installation()
  await storeInTurn(store, [{ ...VISIT, number: 1 }])
  // The coordinator has ended it, so that its domain says nothing of it.
  const unended = await changeDevice()
  const storing = storeVisits([await anotherNode()], [operationOf(domainId, hashes, { ...VISIT, number: 2 })])
  await unended.isAwaited()
  await unended.client.query('commit')
  expect(await storing).toEqual(['stored'])
  expect(await unended.visits()).toBe(3)
})
