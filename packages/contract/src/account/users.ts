import { z } from 'zod'
import { Timestamp, UserPath } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DOMAIN_ROLE_NAMES, RoleField } from './roles.ts'
import { SIGNED_IN_EXAMPLE } from './session.ts'

export const AccountUser = z
  .object({
    id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: RoleField,
    created_at: Timestamp.describe('When the user was added'),
    domains: z
      .array(
        z.object({
          domain: z.string().describe('A domain'),
          role: z.enum(DOMAIN_ROLE_NAMES).describe('The role of the user there'),
        }),
      )
      .describe('The roles in single domains, by name of the domain'),
    invited_into: z
      .string()
      .nullable()
      .describe(
        'The domain whose owner invited the person, so that nobody has confirmed the address yet; null for others',
      ),
    second_factor: z.boolean().describe('Whether signing in takes more than the password'),
  })
  .describe('Somebody who can sign in')
export type AccountUser = z.infer<typeof AccountUser>

export const AccountUsers = z.array(AccountUser).describe('Everybody who can sign in')

/** NIST SP 800-63B-4 asks for 15 without a second factor and 8 with one; a list of common ones is refused besides. */
export const PASSWORD_LENGTH_MIN = 12
/** Enough for any passphrase; a limit bounds the work of the hash. */
export const PASSWORD_LENGTH_MAX = 256

export const NewPasswordField = z
  .string()
  .min(PASSWORD_LENGTH_MIN)
  .max(PASSWORD_LENGTH_MAX)
  .describe(`${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, and not a common password`)

export const UserChange = z.strictObject({ role: RoleField }).describe('The new role')

const NO_USER = 'no such user'
const LAST_OWNER = 'at least one owner must remain'

export const USER_OPERATIONS = {
  listUsers: {
    method: 'GET',
    path: '/account/users',
    access: 'owner',
    summary: 'List the users',
    answer: AccountUsers,
  },
  changeUser: {
    method: 'PATCH',
    path: '/account/users/{user_id}',
    access: 'owner',
    proof: 'recent',
    summary: 'Change a role',
    params: UserPath,
    body: UserChange,
    answer: AccountUser,
    errors: { 404: NO_USER, 409: LAST_OWNER },
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/account/users/{user_id}/second-factor',
    access: 'owner',
    proof: 'recent',
    summary: 'Remove the second factor of a user who lost it',
    description: 'Removes authenticator app, passkeys and recovery codes, and ends the sessions of the user.',
    params: UserPath,
    answer: 'nothing',
    errors: { 404: NO_USER },
  },
  removeUser: {
    method: 'DELETE',
    path: '/account/users/{user_id}',
    access: 'owner',
    proof: 'recent',
    summary: 'Remove a user',
    description: 'Ends their sessions at once.',
    params: UserPath,
    answer: 'nothing',
    errors: { 404: NO_USER, 409: LAST_OWNER },
  },
} as const satisfies Record<string, AccountOperation>

const USER: AccountUser = {
  ...SIGNED_IN_EXAMPLE,
  created_at: '2026-03-02T09:30:00.000Z',
  domains: [],
  invited_into: null,
  second_factor: true,
}

export const USER_EXAMPLES: Examples<typeof USER_OPERATIONS> = {
  listUsers: { answer: [USER] },
  changeUser: { body: { role: 'analyst' }, answer: { ...USER, role: 'analyst' } },
  removeSecondFactor: {},
  removeUser: {},
}
