import { expect, test } from 'vitest'
import {
  DOMAIN_RIGHT_NAMES,
  DOMAIN_ROLE_NAMES,
  DOMAIN_ROLES,
  type RoleHolder,
  rightsAnywhere,
  rightsIn,
} from './roles.ts'

const NOBODY: RoleHolder = { role: 'member', domainRoles: new Map() }
const ANN: RoleHolder = { role: 'member', domainRoles: new Map([['shop.example', 'reviewer']]) }

test('nobody can give more than they hold: whoever may give roles holds every right', () => {
  for (const name of DOMAIN_ROLE_NAMES)
    if (DOMAIN_ROLES[name].rights.some((right) => right === 'members:write'))
      expect(new Set(DOMAIN_ROLES[name].rights)).toEqual(new Set(DOMAIN_RIGHT_NAMES))
  expect(rightsIn({ ...NOBODY, role: 'analyst' }, 'shop.example').has('members:write')).toBe(false)
})

test('a member has the rights of their role in that domain alone', () => {
  expect([...rightsIn(ANN, 'shop.example')]).toEqual([...DOMAIN_ROLES.reviewer.rights])
  expect([...rightsIn(ANN, 'other.example')]).toEqual([])
  expect([...rightsIn(NOBODY, '__proto__')]).toEqual([])
  const later = { role: 'member', domainRoles: new Map([['shop.example', 'constructor']]) }
  expect([...rightsIn(later as unknown as RoleHolder, 'shop.example')]).toEqual([])
  expect([...rightsAnywhere(ANN)]).toEqual([...DOMAIN_ROLES.reviewer.rights])
  expect([...rightsAnywhere(NOBODY)]).toEqual([])
})

test('the roles mean what they say', () => {
  const may = (role: keyof typeof DOMAIN_ROLES) => [...DOMAIN_ROLES[role].rights].sort()
  expect(may('read-only')).toEqual(['domain:read', 'visits:read'])
  expect(may('integrator')).toEqual(['domain:read', 'health:read', 'settings:write'])
  expect(may('reviewer')).toEqual([
    'case-lists:write',
    'cases:write',
    'domain:read',
    'labels:write',
    'visits:read',
  ])
  expect(may('analyst')).toEqual([...may('reviewer'), 'lists:write', 'visits:export'].sort())
})

test('a role of the installation and one of the domain add up, and an analyst of all domains keeps what they had', () => {
  const analyst: RoleHolder = { role: 'analyst', domainRoles: new Map([['shop.example', 'integrator']]) }
  const everywhere = ['cases:write', 'domain:read', 'health:read', 'visits:export', 'visits:read']
  expect([...rightsIn(analyst, 'other.example')].sort()).toEqual(everywhere)
  expect([...rightsIn(analyst, 'shop.example')].sort()).toEqual([...everywhere, 'settings:write'].sort())
  expect(rightsIn({ ...NOBODY, role: 'owner' }, 'any.example')).toEqual(new Set(DOMAIN_RIGHT_NAMES))
})
