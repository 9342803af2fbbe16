import { z } from 'zod'
import { DomainPath, EmailField, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DOMAIN_ROLE_NAMES, RoleField } from './roles.ts'

export const DomainRoleField = z.enum(DOMAIN_ROLE_NAMES).describe('The role in the domain')

export const Member = z
  .object({
    user_id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: DomainRoleField,
    given_by: z.string().describe('E-mail address of the user who gave the role, or `command line`'),
    given_at: Timestamp.describe('When the role was given'),
  })
  .describe('A user with a role in the domain')
export type Member = z.infer<typeof Member>

export const Members = z
  .object({
    data: z.array(Member).describe('Those with a role in the domain'),
    of_installation: z
      .array(z.object({ email: z.string().describe('In lower case'), role: RoleField }))
      .describe('Owners and analysts of the installation, who reach every domain'),
  })
  .describe('Who can see the domain')

export const RoleGrant = z
  .strictObject({
    email: EmailField.describe('E-mail address of a user, in any case'),
    role: DomainRoleField,
  })
  .describe('A role for a user')

const MemberPath = DomainPath.extend({
  user_id: z.coerce.number().int().positive().describe('Number of the user'),
})

export const MEMBER_OPERATIONS = {
  listMembers: {
    method: 'GET',
    path: '/account/domains/{domain}/members',
    access: 'members:write',
    summary: 'List who can see a domain',
    params: DomainPath,
    answer: Members,
    errors: NO_DOMAIN,
  },
  giveRole: {
    method: 'POST',
    path: '/account/domains/{domain}/members',
    access: 'members:write',
    proof: 'recent',
    summary: 'Give a user a role in a domain',
    description: 'Replaces the role that the user had there. Owners of the installation invite new users.',
    params: DomainPath,
    body: RoleGrant,
    answer: Member,
    errors: { 404: 'no such user' },
  },
  takeRole: {
    method: 'DELETE',
    path: '/account/domains/{domain}/members/{user_id}',
    access: 'members:write',
    proof: 'recent',
    summary: 'Take the role of a user in a domain',
    description: 'At once. Their assistants lose the domain, and their cases are nobody’s.',
    params: MemberPath,
    answer: 'nothing',
    errors: { 404: 'no such member' },
  },
} as const satisfies Record<string, AccountOperation>

const MEMBER: Member = {
  user_id: 4,
  email: 'noor@brewline.example',
  role: 'reviewer',
  given_by: 'mira@brewline.example',
  given_at: '2026-10-08T14:25:00.000Z',
}

export const MEMBER_EXAMPLES: Examples<typeof MEMBER_OPERATIONS> = {
  listMembers: {
    answer: { data: [MEMBER], of_installation: [{ email: MEMBER.given_by, role: 'owner' }] },
  },
  giveRole: { body: { email: MEMBER.email, role: 'reviewer' }, answer: MEMBER },
  takeRole: {},
}
