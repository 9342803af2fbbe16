import { z } from 'zod'
import { DomainPath, EmailField, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DomainRoleField, RoleField } from './roles.ts'

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

export const MemberInvitation = z
  .object({
    id: z.int().describe('Number of the invitation'),
    email: z.string().describe('Whom it is for'),
    role: DomainRoleField,
    invited_by: z.string().describe('E-mail address of the user who made it'),
    expires_at: Timestamp.describe('When it stops working'),
  })
  .describe('A link with which a new person chooses a password and gets a role in the domain, once')
export type MemberInvitation = z.infer<typeof MemberInvitation>

export const NewMemberInvitation = MemberInvitation.extend({
  link: z.url().describe('Give it to that person only. It is not shown again'),
}).describe('An invitation into the domain with its link')
export type NewMemberInvitation = z.infer<typeof NewMemberInvitation>

export const Members = z
  .object({
    data: z.array(Member).describe('Those with a role in the domain'),
    invited: z.array(MemberInvitation).describe('New people whose links were not used and have not expired'),
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

const INVITED_ELSEWHERE = 'the e-mail address was invited elsewhere; ask an owner of the installation'

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
    description:
      'Replaces the role that the user had there. Somebody whom an owner of another domain invited gets the first one from an owner of the installation, until they come through the identity provider.',
    params: DomainPath,
    body: RoleGrant,
    answer: Member,
    errors: { 404: 'no such user', 409: INVITED_ELSEWHERE },
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
  inviteMember: {
    method: 'POST',
    path: '/account/domains/{domain}/invitations',
    access: 'members:write',
    proof: 'recent',
    summary: 'Invite a new person into a domain',
    description:
      'The link works once, within three days. A domain has at most 50 open ones. Its user is a member of the installation with this role in this domain, and learns of no other. Inviting the same address again replaces it.',
    params: DomainPath,
    body: RoleGrant,
    answer: NewMemberInvitation,
    status: 201,
    errors: {
      ...NO_DOMAIN,
      409: 'this person has an account, or was invited elsewhere',
    },
  },
  withdrawMemberInvitation: {
    method: 'DELETE',
    path: '/account/domains/{domain}/invitations/{invitation_id}',
    access: 'members:write',
    summary: 'Withdraw an invitation into a domain',
    params: DomainPath.extend({
      invitation_id: z.coerce.number().int().positive().describe('Number of the invitation'),
    }),
    answer: 'nothing',
    errors: { 404: 'no such invitation' },
  },
} as const satisfies Record<string, AccountOperation>

const MEMBER: Member = {
  user_id: 4,
  email: 'noor@brewline.example',
  role: 'reviewer',
  given_by: 'mira@brewline.example',
  given_at: '2026-10-08T14:25:00.000Z',
}

const INVITATION: MemberInvitation = {
  id: 8,
  email: 'ivo@agency.example',
  role: 'reviewer',
  invited_by: 'mira@brewline.example',
  expires_at: '2026-10-11T14:25:00.000Z',
}

export const MEMBER_EXAMPLES: Examples<typeof MEMBER_OPERATIONS> = {
  listMembers: {
    answer: {
      data: [MEMBER],
      invited: [INVITATION],
      of_installation: [{ email: MEMBER.given_by, role: 'owner' }],
    },
  },
  giveRole: { body: { email: MEMBER.email, role: 'reviewer' }, answer: MEMBER },
  takeRole: {},
  inviteMember: {
    body: { email: INVITATION.email, role: INVITATION.role },
    answer: {
      ...INVITATION,
      link: 'https://tools.brewline.example/dashboard/invitation#wq1V3m7nS0xF8y2Jk5RbTzGdLhPcAeU4',
    },
  },
  withdrawMemberInvitation: {},
}
