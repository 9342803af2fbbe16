import { expect, test } from 'vitest'
import { growingCache } from './growing-cache.ts'

test('holds as many entries as it may, and drops the least recently used one', () => {
  const dropped: string[] = []
  const cache = growingCache<string, number>(3, { dispose: (_value, key) => dropped.push(key) })
  for (const [at, key] of ['a', 'b', 'c'].entries()) cache.set(key, at)
  cache.get('a')
  cache.set('d', 3)
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd'])
  expect(dropped).toEqual(['b'])
})
