import { expect, inject, onTestFinished, test } from 'vitest'
import { batchLoader } from './batch-loader.ts'
import { openPool } from './pools.ts'
import type { VisitConnection } from './visit-connections.ts'

const CONNECTIONS = 4

/** Looks up names of numbers below ten. All connections are in use until `free` releases one. */
async function lookUps() {
  const pool = openPool(inject('testPostgres')?.adminUrl ?? '', 'visits')
  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()))
  const free = () => taken.pop()?.release()
  onTestFinished(async () => {
    while (taken.length > 0) free()
    await pool.end()
  })
  const loads: [number, ...number[]][] = []
  async function load({ client }: VisitConnection, domainId: number, numbers: readonly number[]) {
    loads.push([domainId, ...numbers])
    if (numbers.includes(-1)) await client.query('this is no statement')
    const { rows } = await client.query<{ number: number; name: string }>(
      `select number, $1 || '-' || number as name from unnest($2::bigint[]) as given (number) where number < 10`,
      [`${domainId}`, numbers],
    )
    return new Map(rows.map(({ number, name }) => [number, name]))
  }
  return { loads, free, lookUp: batchLoader(async () => ({ client: await pool.connect() }), load) }
}

test('look-ups that wait for a connection share a query, and each gets its own values in its own order', async () => {
  const { loads, free, lookUp } = await lookUps()
  const answers = [lookUp(1, [5, 99, 3, 5]), lookUp(1, [3, 4]), lookUp(1, [99])]
  free()
  expect(await Promise.all(answers)).toEqual([['1-5', '1-3'], ['1-3', '1-4'], []])
  expect(loads).toEqual([[1, 5, 99, 3, 4]])
})

test('a later look-up runs a query of its own', async () => {
  const { loads, free, lookUp } = await lookUps()
  const first = lookUp(1, [1])
  free()
  await first
  expect(await lookUp(1, [2])).toEqual(['1-2'])
  expect(loads).toEqual([
    [1, 1],
    [1, 2],
  ])
})

test('domains never share a query', async () => {
  const { loads, free, lookUp } = await lookUps()
  const answers = [lookUp(1, [1]), lookUp(2, [1])]
  free()
  expect(await Promise.all(answers)).toEqual([['1-1'], ['2-1']])
  expect(loads).toEqual([
    [1, 1],
    [2, 1],
  ])
})

test('a full batch takes no further look-ups', async () => {
  const { loads, free, lookUp } = await lookUps()
  const many = Array.from({ length: 10 }, (_, index) => lookUp(1, [1_000 + index, 2_000 + index]))
  const next = lookUp(1, [3])
  free()
  expect(await Promise.all([...many, next])).toEqual([...many.map(() => []), ['1-3']])
  expect(loads.map(([, ...numbers]) => numbers.length)).toEqual([20, 1])
})

test('without a connection the look-ups fail with the error of the pool', async () => {
  const lookUp = batchLoader(
    () => Promise.reject(new Error('no connection')),
    () => Promise.resolve(new Map()),
  )
  const results = await Promise.allSettled([lookUp(1, [1]), lookUp(1, [2])])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a failure rejects the look-ups of its batch and no others', async () => {
  const { free, lookUp } = await lookUps()
  const batch = [lookUp(1, [-1]), lookUp(1, [2])]
  free()
  const results = await Promise.allSettled(batch)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lookUp(1, [2])).toEqual(['1-2'])
})

test('a look-up of no numbers runs no query', async () => {
  const { loads, lookUp } = await lookUps()
  expect(await lookUp(1, [])).toEqual([])
  expect(loads).toEqual([])
})
