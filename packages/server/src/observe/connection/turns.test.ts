import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What ran in each turn. */
async function turnsOf(arrivals: [group: string, cost?: number][], perTurn: number): Promise<string[]> {
  const turns = createTurns(perTurn)
  let ran = ''
  let count = 0
  for (const [group, cost] of arrivals)
    turns.run(
      group,
      () => {
        ran += group
        count += 1
      },
      cost,
    )
  const each = [ran]
  while (count < arrivals.length) {
    ran = ''
    await nextTurn()
    each.push(ran)
  }
  return each
}

test('a few pieces run at once, in their order', async () => {
  expect(await turnsOf([['a'], ['b'], ['a']], 3)).toEqual(['aba'])
})

test('the rest waits for later turns, and whoever brings much does not delay whoever brings little', async () => {
  const many: [string][] = Array.from({ length: 8 }, () => ['a'])
  expect(await turnsOf([...many, ['b'], ['c']], 3)).toEqual(['aaa', 'abc', 'aaa', 'a'])
})

test('an expensive piece has a turn of its own', async () => {
  expect(await turnsOf([['a', 5], ['b'], ['c', 5], ['d']], 2)).toEqual(['a', 'bc', 'd'])
})
