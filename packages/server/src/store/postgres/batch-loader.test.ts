import type { ClientBase } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { inCompany } from './batch-loader.ts'
import { openPool } from './pools.ts'

const CONNECTIONS = 4

/** Looks up the names of numbers below ten, over connections that are all taken until `free` gives one back. */
async function lookUps() {
  const pool = openPool(inject('testPostgres')?.adminUrl ?? '', 'visits')
  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()))
  const free = () => taken.pop()?.release()
  onTestFinished(async () => {
    while (taken.length > 0) free()
    await pool.end()
  })
  const loads: [number, ...number[]][] = []
  async function load(client: ClientBase, domainId: number, numbers: readonly number[]) {
    loads.push([domainId, ...numbers])
    if (numbers.includes(-1)) await client.query('this is no statement')
    const { rows } = await client.query<{ number: number; name: string }>(
      `select number, $1 || '-' || number as name from unnest($2::bigint[]) as given (number) where number < 10`,
      [`${domainId}`, numbers],
    )
    return new Map(rows.map(({ number, name }) => [number, name]))
  }
  return { loads, free, lookUp: inCompany(pool, load) }
}

test('those that wait for a connection go together, and each gets what there is of its own, in its order', async () => {
  const { loads, free, lookUp } = await lookUps()
  const answers = [lookUp(1, [5, 99, 3, 5]), lookUp(1, [3, 4]), lookUp(1, [99])]
  free()
  expect(await Promise.all(answers)).toEqual([['1-5', '1-3'], ['1-3', '1-4'], []])
  expect(loads).toEqual([[1, 5, 99, 3, 4]])
})

test('one that comes after they left goes on its own, and sees what was written since', async () => {
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

test('no domain sees what is another’s', async () => {
  const { loads, free, lookUp } = await lookUps()
  const answers = [lookUp(1, [1]), lookUp(2, [1])]
  free()
  expect(await Promise.all(answers)).toEqual([['1-1'], ['2-1']])
  expect(loads).toEqual([
    [1, 1],
    [2, 1],
  ])
})

test('a look-up that is long enough takes no more along', async () => {
  const { loads, free, lookUp } = await lookUps()
  const many = Array.from({ length: 500 }, (_, index) => 1_000 + index)
  const answers = [lookUp(1, many), lookUp(1, [3])]
  free()
  expect(await Promise.all(answers)).toEqual([[], ['1-3']])
  expect(loads.map(({ length }) => length)).toEqual([501, 2])
})

test('a failure is told to all who went together, and to nobody else', async () => {
  const { free, lookUp } = await lookUps()
  const together = [lookUp(1, [-1]), lookUp(1, [2])]
  free()
  const told = await Promise.allSettled(together)
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lookUp(1, [2])).toEqual(['1-2'])
})

test('looking for nothing asks for nothing', async () => {
  const { loads, lookUp } = await lookUps()
  expect(await lookUp(1, [])).toEqual([])
  expect(loads).toEqual([])
})
