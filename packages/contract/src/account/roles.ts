import { z } from 'zod'

/** Roles in the whole installation. A `member` has only what the domains give. */
export const ROLES = ['owner', 'analyst', 'member'] as const
export type Role = (typeof ROLES)[number]

/** What each role of the installation means, in words for the person who chooses one. */
export const ROLE_MEANINGS: Record<Role, string> = {
  owner: 'Sees and does everything, adds domains and users.',
  analyst: 'Reads every domain, works on its cases and exports, and sees the health of the system.',
  member: 'Has only the roles that domains give, and does not learn of other domains.',
}

export const RoleField = z
  .enum(ROLES)
  .describe(
    'In the whole installation: an `owner` may do everything, an `analyst` reads every domain and works on its cases, a `member` has only the roles that domains give',
  )

/** What can be done in a domain. An operation names the one that it needs. */
export const DOMAIN_RIGHTS = {
  'domain:read': 'See the domain, its settings, and its keys without their secrets',
  'visits:read': 'See visits, entities, patterns, cases, lists, labels, rules and decisions',
  'visits:export': 'Download visits, patterns, lists and labels as files',
  'cases:write': 'Work on cases, save views, and confirm what assistants propose',
  'case-lists:write': 'Put the subject of a case on a list when deciding it',
  'labels:write': 'Save, import and remove labels',
  'lists:write': 'Save, import and remove entries of lists',
  'rules:write': 'Change weights, decision rules and rules for agents, and test them',
  'settings:write': 'Change settings, keys, webhooks and alerts',
  'health:read': 'See the health of the system and its feeds',
  'privacy:write': 'Export and erase what is stored of a person',
  'audit:read': 'See who changed what in the domain',
  'members:write': 'See who has a role in the domain, change that, and invite new people',
} as const
export type DomainRight = keyof typeof DOMAIN_RIGHTS
export const DOMAIN_RIGHT_NAMES = Object.keys(DOMAIN_RIGHTS) as [DomainRight, ...DomainRight[]]

export const isDomainRight = (name: string): name is DomainRight => Object.hasOwn(DOMAIN_RIGHTS, name)

interface RoleInDomain {
  /** One sentence for the person who chooses it. */
  meaning: string
  rights: readonly DomainRight[]
}

const REVIEW = ['domain:read', 'visits:read', 'cases:write', 'case-lists:write', 'labels:write'] as const

/** Roles in one domain. */
export const DOMAIN_ROLES = {
  owner: {
    meaning: 'Does everything in this domain, gives and takes its roles, and invites new people.',
    rights: DOMAIN_RIGHT_NAMES,
  },
  analyst: {
    meaning: 'Investigates: reads and exports everything, works on cases, keeps lists and labels.',
    rights: [...REVIEW, 'lists:write', 'visits:export'],
  },
  reviewer: {
    meaning: 'Works on cases, labels, and puts the subject of a case on a list.',
    rights: REVIEW,
  },
  'read-only': {
    meaning: 'Looks at everything, changes nothing and downloads nothing.',
    rights: ['domain:read', 'visits:read'],
  },
  integrator: {
    meaning:
      'Sets up keys, webhooks, alerts and settings. Sees no visits here; a key that they make can read them.',
    rights: ['domain:read', 'settings:write', 'health:read'],
  },
} as const satisfies Record<string, RoleInDomain>
export type DomainRole = keyof typeof DOMAIN_ROLES
export const DOMAIN_ROLE_NAMES = Object.keys(DOMAIN_ROLES) as [DomainRole, ...DomainRole[]]

export const DomainRoleField = z.enum(DOMAIN_ROLE_NAMES).describe('The role in the domain')

/** A later release may have stored a role that this one does not know. It gives nothing here. */
const rightsOf = (role: DomainRole | undefined): readonly DomainRight[] =>
  role !== undefined && Object.hasOwn(DOMAIN_ROLES, role) ? DOMAIN_ROLES[role].rights : []

/** What a role of the installation gives in every domain. An analyst changes cases alone, unless a role there gives more. */
const IN_EVERY_DOMAIN: Record<Role, readonly DomainRight[]> = {
  owner: DOMAIN_RIGHT_NAMES,
  analyst: ['domain:read', 'visits:read', 'visits:export', 'cases:write', 'health:read'],
  member: [],
}

/** Somebody with the roles they have. */
export interface RoleHolder {
  role: Role
  /** By name of the domain. */
  domainRoles: ReadonlyMap<string, DomainRole>
}

/** What somebody may do in a domain. Without any right, the domain does not exist for them. */
export const rightsIn = ({ role, domainRoles }: RoleHolder, domain: string): ReadonlySet<DomainRight> =>
  new Set([...IN_EVERY_DOMAIN[role], ...rightsOf(domainRoles.get(domain))])

/** What somebody may do in at least one domain. */
export const rightsAnywhere = ({ role, domainRoles }: RoleHolder): ReadonlySet<DomainRight> =>
  new Set([...IN_EVERY_DOMAIN[role], ...[...domainRoles.values()].flatMap(rightsOf)])
