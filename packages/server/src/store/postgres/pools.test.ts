import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromDatabase, toDatabase } from './pools.ts'

test('every text comes back as it was, and has no zero byte meanwhile', () => {
  const text = fc.array(fc.constantFrom('\0', '\uFDD0', '0', '1', 'a')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (given) => {
      const kept = toDatabase(given)
      expect(kept).not.toContain('\0')
      expect(fromDatabase(kept)).toBe(given)
    }),
  )
})
