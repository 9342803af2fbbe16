import { expect, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { convince } from '../hint.ts'
import { headerHints } from './header-hints.ts'

const contradicting = (...names: ('user_agent' | 'fetch_order' | 'name_case' | 'language')[]) =>
  headerHints(
    identified({
      headers: {
        contradictions: names.map((name) => ({ name, evidence: { header: 'a', script: 'b' } })),
        clear: [],
        unknown: [],
      },
    }),
  )

test('a request that agrees with the page says nothing', () => {
  expect(contradicting()).toEqual([])
})

test('a switched user agent contradicts the orders of its engine as well: one cause, which convinces nobody', () => {
  const hints = contradicting('user_agent', 'fetch_order')
  expect(hints.map(({ group }) => group)).toEqual(['identity', 'identity'])
  expect(convince(hints)).toBe(false)
})

test('neither does a program that writes headers anew', () => {
  expect(convince(contradicting('name_case'))).toBe(false)
})

test('two causes do', () => {
  expect(convince(contradicting('user_agent', 'language'))).toBe(true)
})
