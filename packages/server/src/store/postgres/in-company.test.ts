import { expect, test } from 'vitest'
import { inCompany } from './in-company.ts'

/** Loads the names of numbers below ten, each load when it is told to. */
function names() {
  const loads: { domainId: number; numbers: readonly number[]; end(error?: Error): void }[] = []
  const lookUp = inCompany<string>((domainId, numbers) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, string>>()
    const found = numbers.filter((number) => number < 10)
    const answer = new Map(found.map((number) => [number, `${domainId}-${number}`]))
    loads.push({ domainId, numbers, end: (error) => (error ? reject(error) : resolve(answer)) })
    return promise
  })
  return { loads, lookUp }
}

test('alone a look-up leaves at once, and gets what there is in its order', async () => {
  const { loads, lookUp } = names()
  const answer = lookUp(1, [5, 99, 3, 5])
  expect(loads.map(({ numbers }) => numbers)).toEqual([[5, 99, 3]])
  loads[0]?.end()
  expect(await answer).toEqual(['1-5', '1-3'])
})

test('those that come while two are under way go together, and each gets its own', async () => {
  const { loads, lookUp } = names()
  const answers = [lookUp(1, [1]), lookUp(1, [2]), lookUp(1, [3, 4]), lookUp(1, [4, 5])]
  expect(loads).toHaveLength(2)
  loads[0]?.end()
  await answers[0]
  expect(loads.map(({ numbers }) => numbers)).toEqual([[1], [2], [3, 4, 5]])
  loads[1]?.end()
  loads[2]?.end()
  expect(await Promise.all(answers)).toEqual([['1-1'], ['1-2'], ['1-3', '1-4'], ['1-4', '1-5']])
})

test('no domain waits for another, nor sees what is another’s', async () => {
  const { loads, lookUp } = names()
  const answers = [lookUp(1, [1]), lookUp(1, [1]), lookUp(1, [1]), lookUp(2, [1])]
  expect(loads.map(({ domainId }) => domainId)).toEqual([1, 1, 2])
  loads[2]?.end()
  expect(await answers[3]).toEqual(['2-1'])
  loads[0]?.end()
  loads[1]?.end()
  await answers[0]
  loads[3]?.end()
  expect(await answers[2]).toEqual(['1-1'])
})

test('a look-up that is long enough takes no more along', async () => {
  const { loads, lookUp } = names()
  const many = Array.from({ length: 499 }, (_, index) => 1_000 + index)
  const answers = [lookUp(1, [1]), lookUp(1, [2]), lookUp(1, many), lookUp(1, [3, 4]), lookUp(1, [5])]
  for (const expected of [2, 3, 4]) {
    expect(loads).toHaveLength(expected)
    loads[expected - 2]?.end()
    await answers[expected - 2]
  }
  expect(loads.slice(2).map(({ numbers }) => numbers.length)).toEqual([501, 1])
  for (const load of loads) load.end()
  expect(await answers[4]).toEqual(['1-5'])
})

test('a failure is told to all who went together, and the next ones leave', async () => {
  const { loads, lookUp } = names()
  const failing = lookUp(1, [1])
  const other = lookUp(1, [2])
  const next = lookUp(1, [3])
  loads[0]?.end(new Error('the database is gone'))
  await expect(failing).rejects.toThrow('the database is gone')
  loads[1]?.end()
  loads[2]?.end()
  expect(await Promise.all([other, next])).toEqual([['1-2'], ['1-3']])
})

test('looking for nothing asks for nothing', async () => {
  const { loads, lookUp } = names()
  expect(await lookUp(1, [])).toEqual([])
  expect(loads).toEqual([])
})
