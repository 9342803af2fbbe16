import { expect, test } from 'vitest'
import { type CountedSubject, newCounted } from './velocity-batch.ts'
import { writtenCounts } from './written-counts.ts'

const one = (number: number, sizeBytes = 200): CountedSubject => ({
  ...newCounted({ domainId: 1, index: 0, hash: String(number) }),
  updatedAt: number,
  sizeBytes,
})

test('the memory is bounded, and what was written longest ago goes first', () => {
  const written = writtenCounts(4_000)
  for (let number = 0; number < 10; number++) written.add(String(number), one(number))
  const known = Array.from({ length: 10 }, (_, number) => number).filter((number) =>
    written.get(String(number)),
  )
  expect(known).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  written.take('0')
  written.add('0', one(0))
  for (let number = 10; number < 13; number++) written.add(String(number), one(number))
  expect(['0', '1', '2', '3', '4'].map((name) => written.get(name)?.updatedAt)).toEqual([
    0,
    undefined,
    undefined,
    undefined,
    4,
  ])
  written.clear()
  expect(written.get('4')).toBeUndefined()
  written.add('a', one(1, 3_900))
  expect(written.get('a')).toBeUndefined()
})
