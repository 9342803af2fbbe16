import { DOMAIN_RIGHT_NAMES, DOMAIN_ROLES, rightsAnywhere } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { namedPages } from './named-pages.ts'

const WHERE = {
  domain: 'shop.example',
  domains: ['shop.example', 'other.example'],
  isOwner: true,
  rights: new Set(DOMAIN_RIGHT_NAMES),
}
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

test('nobody is led to a page that their role does not reach, nor without a domain to one of a domain', () => {
  const analyst = rightsAnywhere({ role: 'analyst', domainRoles: new Map() })
  expect(named('users')).toContain('Users /users')
  expect(named('users', { isOwner: false, rights: analyst })).toEqual([])
  const integrator = new Set(DOMAIN_ROLES.integrator.rights)
  expect(named('identifications', { isOwner: false, rights: integrator })).toEqual([])
  expect(named('webhooks', { isOwner: false, rights: integrator })).toContain('Webhooks /d/$domain/webhooks')
  expect(named('patterns', { domain: undefined, domains: [] })).toEqual([])
  expect(named('feeds', { domain: undefined, domains: [] })).toEqual(['Feeds /feeds'])
})

test.each(['', ' ', 'e', 'abcdef', '192.0.2.44', '%', '()', '\\'])('%j names no page', (text) => {
  expect(named(text)).toEqual([])
})
