import { expect, test } from 'vitest'
import { conflictFreeBatches } from './array-statement.ts'

test('items that share a key are in consecutive batches, and the others in the first', () => {
  const items = ['a1', 'b', 'a2', 'c', 'a3', 'ab']
  const keysOf = (item: string): string[] => (item === 'ab' ? ['a', 'b'] : [item.slice(0, 1)])
  expect(conflictFreeBatches(items, keysOf)).toEqual([['a1', 'b', 'c'], ['a2'], ['a3'], ['ab']])
})
