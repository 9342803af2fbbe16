import { describe, expect, test } from 'vitest'
import { readPaging } from './paging.ts'

const read = (query: string) => readPaging(new URLSearchParams(query))

describe('paging', () => {
  test('limit is 20 unless it is an integer from 1 to 100: replaced, not clamped', () => {
    for (const query of [
      '',
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=ten',
      'limit=1.5',
      'limit=',
      'limit=1e1',
    ])
      expect(read(query).limit).toBe(20)
    expect(read('limit=1').limit).toBe(1)
    expect(read('limit=100').limit).toBe(100)
  })

  test('a sign and leading zeros are read; a literal plus is a blank in a query', () => {
    expect(read('limit=%2B5').limit).toBe(5)
    expect(read('limit=+5').limit).toBe(20)
    expect(read('limit=05').limit).toBe(5)
  })

  test('of repeated parameters the first counts', () => {
    expect(read('limit=7&limit=9').limit).toBe(7)
    expect(read('limit=x&limit=9').limit).toBe(20)
  })

  test('offset is 0 unless it is an integer that is not negative', () => {
    for (const query of ['', 'offset=-1', 'offset=a', `offset=${'9'.repeat(30)}`])
      expect(read(query).offset).toBe(0)
    expect(read('offset=40').offset).toBe(40)
  })

  test('an offset of up to 64 bits is past all rows, and one of more is none', () => {
    for (const offset of ['9007199254740992', '+9223372036854775807', `${'0'.repeat(40)}9223372036854775807`])
      expect(read(`offset=${encodeURIComponent(offset)}`).offset).toBe(Number.MAX_SAFE_INTEGER)
    expect(read('offset=9007199254740991').offset).toBe(Number.MAX_SAFE_INTEGER)
    expect(read('offset=9223372036854775808').offset).toBe(0)
    expect(read('offset=-9223372036854775808').offset).toBe(0)
  })
})
