import { expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { passwordFault } from './password-rules.ts'

test('there are ten thousand common passwords, in lower case', () => {
  expect(commonPasswords().size).toBe(10_000)
  for (const known of ['123456', 'password', 'qwerty', 'letmein', 'sonyericsson'])
    expect(commonPasswords()).toContain(known)
  for (const entry of commonPasswords()) expect(entry).toBe(entry.toLowerCase())
})

test.each([
  ['one of the list', 'leavemealone'],
  ['in capitals', 'LeaveMeAlone'],
  ['with digits behind it', 'password2026'],
  ['with signs around it', '!!iloveyou!!!!'],
  ['twice', 'qwertyqwerty'],
  ['twice with digits', 'dragondragon1'],
  ['one character again and again', 'aaaaaaaaaaaaaa'],
  ['the digits in their order', '123456789012'],
  ['the keyboard backwards', 'lkjhgfdsapoiuytrewq'.slice(0, 13)],
])('a common password is refused: %s', (_case, password) => {
  expect(passwordFault(password)).toMatch(/among the first that an attacker tries/)
})

test('the e-mail address and its name are refused', () => {
  expect(passwordFault('ada.lovelace@shop.example', 'Ada.Lovelace@shop.example')).toMatch(/e-mail address/)
  expect(passwordFault('ada.lovelace', 'ada.lovelace@shop.example')).toMatch(/e-mail address/)
})

test.each([
  'correct horse battery',
  'seven quiet harbours',
  '48151623429108',
  'Tr0ub4dor&3-xkcd',
  'моя бабушка поёт',
])('an uncommon one is accepted: %s', (password) => {
  expect(passwordFault(password, 'ada@shop.example')).toBeUndefined()
})

test('less than twelve characters are too few', () => {
  expect(passwordFault('x7-Kq9-mZ2b')).toBe('a password has 12 to 256 characters')
  expect(passwordFault('y'.repeat(200) + 'z'.repeat(57))).toBe('a password has 12 to 256 characters')
})
