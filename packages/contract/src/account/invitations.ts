import { z } from 'zod'
import { EmailField, Timestamp, UserPath } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DomainRoleField, RoleField } from './roles.ts'
import { NewPasswordField } from './users.ts'

export const Invitation = z
  .object({
    id: z.int().describe('Number of the invitation'),
    email: z.string().describe('Whom it is for'),
    role: RoleField,
    invited_by: z.string().describe('E-mail address of the user who made it'),
    expires_at: Timestamp.describe('When it stops working'),
    in_domain: z
      .object({ domain: z.string().describe('Name of the domain'), role: DomainRoleField })
      .nullable()
      .describe('The role in a domain that it gives a new person; null without one'),
  })
  .describe('A link that lets one person choose a password, once')
export type Invitation = z.infer<typeof Invitation>

export const NewInvitation = Invitation.extend({
  link: z.url().describe('Give it to that person only. It is not shown again'),
}).describe('An invitation with its link')
export type NewInvitation = z.infer<typeof NewInvitation>

export const InvitationRequest = z
  .strictObject({ email: EmailField.describe('Kept in lower case'), role: RoleField })
  .describe('Whom to invite')

const InvitationToken = z.string().min(1).max(64).describe('The part of the link after `#`')

export const OpenedInvitation = z
  .object({
    email: z.string().describe('Whom it is for'),
    known: z.boolean().describe('True for a user who gets a new password, false for a new user'),
  })
  .describe('What an invitation is for')
export type OpenedInvitation = z.infer<typeof OpenedInvitation>

const ENDED = { 404: 'the invitation was used, was withdrawn or has expired' }

export const INVITATION_OPERATIONS = {
  listInvitations: {
    method: 'GET',
    path: '/account/invitations',
    access: 'owner',
    summary: 'List the open invitations',
    answer: z.array(Invitation).describe('Invitations that were not used and have not expired'),
  },
  inviteUser: {
    method: 'POST',
    path: '/account/invitations',
    access: 'owner',
    proof: 'recent',
    summary: 'Invite a user',
    description: 'The link works once, within three days. Inviting the same address again replaces it.',
    body: InvitationRequest,
    answer: NewInvitation,
    status: 201,
    errors: { 409: 'the e-mail address is in use' },
  },
  invitePasswordChange: {
    method: 'POST',
    path: '/account/users/{user_id}/password-link',
    access: 'owner',
    proof: 'recent',
    summary: 'Let a user choose a new password',
    description: 'For somebody who forgot theirs, which works until the link is used. A second factor stays.',
    params: UserPath,
    answer: NewInvitation,
    status: 201,
    errors: { 404: 'no such user' },
  },
  removeInvitation: {
    method: 'DELETE',
    path: '/account/invitations/{invitation_id}',
    access: 'owner',
    summary: 'Withdraw an invitation',
    params: z.object({
      invitation_id: z.coerce.number().int().positive().describe('Number of the invitation'),
    }),
    answer: 'nothing',
    errors: { 404: 'no such invitation' },
  },
  openInvitation: {
    method: 'POST',
    path: '/account/invitations/open',
    access: 'anyone',
    summary: 'See what an invitation is for',
    body: z.strictObject({ token: InvitationToken }).describe('An invitation'),
    answer: OpenedInvitation,
    errors: { ...ENDED, 429: 'too many attempts to sign in' },
  },
  acceptInvitation: {
    method: 'POST',
    path: '/account/invitations/accept',
    access: 'anyone',
    summary: 'Accept an invitation',
    description: 'Uses the invitation up. Sign in afterwards.',
    body: z
      .strictObject({ token: InvitationToken, password: NewPasswordField })
      .describe('An invitation and the password that its user chose'),
    answer: 'nothing',
    errors: {
      ...ENDED,
      409: 'the e-mail address is in use',
      429: 'too many attempts to sign in',
      503: 'server is busy',
    },
  },
} as const satisfies Record<string, AccountOperation>

const INVITATION: Invitation = {
  id: 7,
  email: 'noor@brewline.example',
  role: 'analyst',
  invited_by: 'mira@brewline.example',
  expires_at: '2026-10-11T14:25:00.000Z',
  in_domain: null,
}
const TOKEN = 'wq1V3m7nS0xF8y2Jk5RbTzGdLhPcAeU4'
const LINK = `https://tools.brewline.example/dashboard/invitation#${TOKEN}`

export const INVITATION_EXAMPLES: Examples<typeof INVITATION_OPERATIONS> = {
  listInvitations: { answer: [INVITATION] },
  inviteUser: {
    body: { email: INVITATION.email, role: 'analyst' },
    answer: { ...INVITATION, link: LINK },
  },
  invitePasswordChange: { answer: { ...INVITATION, link: LINK } },
  removeInvitation: {},
  openInvitation: { body: { token: TOKEN }, answer: { email: INVITATION.email, known: false } },
  acceptInvitation: { body: { token: TOKEN, password: 'seven quiet harbours' } },
}
