import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

test('what was sealed opens under the same key only, and not when a byte was changed', () => {
  const box = createSecretBox(randomBytes(32))
  const sealed = box.seal('whsec_00112233445566778899aabbccddeeff')
  expect(box.open(sealed)).toBe('whsec_00112233445566778899aabbccddeeff')
  expect(() => createSecretBox(randomBytes(32)).open(sealed)).toThrow()
  sealed.writeUInt8(sealed.readUInt8(14) ^ 1, 14)
  expect(() => box.open(sealed)).toThrow()
})
