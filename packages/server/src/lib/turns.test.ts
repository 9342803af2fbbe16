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

test('large work takes one place in each turn, delays no small piece, and waits for those of its group', async () => {
  const turns = createTurns(2)
  const ran: string[] = []
  const note = (name: string) => () => void ran.push(name)
  turns.runLarge('a', () => {
    ran.push('A')
    for (const name of ['a1', 'a2', 'a3']) turns.run('a', note(name))
  })
  turns.runLarge('a', note('A2'))
  turns.runLarge('b', note('B'))
  turns.run('c', note('c'))
  expect(ran).toEqual(['A', 'a1', 'a2'])
  await nextTurn()
  expect(ran.splice(0)).toEqual(['A', 'a1', 'a2', 'a3', 'c', 'A2'])
  await nextTurn()
  expect(ran).toEqual(['B'])
})
