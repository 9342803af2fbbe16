import { expect, test } from 'vitest'
import { namedPages } from './named-pages.ts'

const WHERE = { domain: 'shop.example', domains: ['shop.example', 'other.example'], isOwner: true }
const named = (text: string, where = {}) =>
  namedPages(text, { ...WHERE, ...where }).map(({ title, target: { to } }) => `${title} ${to}`)

test.each([
  ['pat', 'Patterns /d/$domain/patterns'],
  ['system HEALTH', 'System health /health'],
  ['health', 'System health /health'],
  ['my acc', 'My account /account'],
  ['passk', 'Passkeys /account'],
  ['2fa', 'Authenticator app /account'],
  ['rotate key', 'Keys of a domain /domains'],
  ['thresholds', 'Decision score /d/$domain/decision-rules'],
  ['tor', 'Tor network /d/$domain/signals/$signal'],
  ['other', 'other.example /d/$domain/overview'],
])('%s', (text, first) => {
  expect(named(text)[0]).toBe(first)
})

test('a row leads to the page of the domain that is shown', () => {
  expect(namedPages('tor network', WHERE)[0]?.target).toEqual({
    to: '/d/$domain/signals/$signal',
    params: { domain: 'shop.example', signal: 'tor' },
    search: {},
  })
  expect(namedPages('other.ex', WHERE)[0]?.target.params).toEqual({ domain: 'other.example' })
})

test('analysts are not led to pages of owners, and without a domain nobody to one of a domain', () => {
  expect(named('users')).toContain('Users /users')
  expect(named('users', { isOwner: false })).toEqual([])
  expect(named('patterns', { domain: undefined, domains: [] })).toEqual([])
  expect(named('feeds', { domain: undefined, domains: [] })).toEqual(['Feeds /feeds'])
})

test.each(['', ' ', 'e', 'abcdef', '192.0.2.44', '%', '()', '\\'])('%j names no page', (text) => {
  expect(named(text)).toEqual([])
})
