import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

test('recovery codes differ, and are the same however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toEqual(hashRecoveryCode(code))
  }
})
