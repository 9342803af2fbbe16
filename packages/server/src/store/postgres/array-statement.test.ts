import { expect, test } from 'vitest'
import { inRounds } from './array-statement.ts'

test('what touches the same thing comes in its order, and the rest at once', () => {
  const items = ['a1', 'b', 'a2', 'c', 'a3', 'ab']
  const touched = (item: string): string[] => (item === 'ab' ? ['a', 'b'] : [item.slice(0, 1)])
  expect(inRounds(items, touched)).toEqual([['a1', 'b', 'c'], ['a2'], ['a3'], ['ab']])
})
