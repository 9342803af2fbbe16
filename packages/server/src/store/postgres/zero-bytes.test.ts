import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeZeroBytes, unescapeZeroBytes } from './zero-bytes.ts'

test('every text survives escaping, and the escaped text has no zero byte', () => {
  const text = fc.array(fc.constantFrom('\0', '\uFDD0', '0', '1', 'a')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (given) => {
      const escaped = escapeZeroBytes(given)
      expect(escaped).not.toContain('\0')
      expect(unescapeZeroBytes(escaped)).toBe(given)
    }),
  )
})
