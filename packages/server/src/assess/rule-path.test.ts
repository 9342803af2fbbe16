import { expect, test } from 'vitest'
import { meetsPath } from './rule-path.ts'

const PRIVATE = '/private/*'

test.each([
  '/private/x',
  '/%70rivate/x',
  '//private/x',
  '/./private//x',
  '/Private/x',
  '/private%2Fx',
  '/private%2fx',
  '/a/..%2fprivate/x',
  '/a/%2e%2e/private/x',
  '/a/%252e%252e%252fprivate/x',
  '/private%5Cx',
])('a rule that denies applies to every spelling of its path: %s', (path) => {
  for (const action of ['deny', 'challenge'] as const) expect(meetsPath(PRIVATE, path, action)).toBe(true)
})

test('it applies to no other path', () => {
  for (const path of ['/', '/privat/x', '/x/private/x', '/private/../x', '/a%2f../x'])
    expect(meetsPath(PRIVATE, path, 'deny'), path).toBe(false)
  expect(meetsPath('/cart', '/cart/', 'deny')).toBe(false)
})

test('a rule that allows applies only where every server reads its path', () => {
  expect(['/public/x', '/%70ublic//x'].map((path) => meetsPath('/public/*', path, 'allow'))).toEqual([
    true,
    true,
  ])
  for (const path of ['/public/..%2fprivate/x', '/Public/x', '/x/..%2fpublic/x'])
    expect(meetsPath('/public/*', path, 'allow'), path).toBe(false)
})

test('a limit applies to what means the same everywhere', () => {
  expect(['/c%61rt', '//cart', '/Cart'].map((path) => meetsPath('/cart*', path, 'limit'))).toEqual([
    true,
    true,
    false,
  ])
})

test('letters beyond ASCII are the same with and without escapes', () => {
  expect(meetsPath('/b\u00fccher/*', '/b%c3%bccher/1', 'deny')).toBe(true)
})
