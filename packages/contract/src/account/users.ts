import { z } from 'zod'
import { EmailField, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { RoleField, SIGNED_IN_EXAMPLE } from './session.ts'

export const AccountUser = z
  .object({
    id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: RoleField,
    created_at: Timestamp.describe('When the user was added'),
  })
  .describe('Somebody who can sign in')
export type AccountUser = z.infer<typeof AccountUser>

export const AccountUsers = z.array(AccountUser).describe('Everybody who can sign in')

/** OWASP ASVS 5.0, 6.2.1. */
export const PASSWORD_LENGTH_MIN = 8
/** Enough for any passphrase; a limit bounds the work of the hash. */
export const PASSWORD_LENGTH_MAX = 256

const Password = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX)
const LENGTHS = `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`

export const UserAddition = z
  .strictObject({
    email: EmailField.describe('Kept in lower case'),
    password: Password.describe(LENGTHS),
    role: RoleField,
  })
  .describe('A new user')

export const UserChange = z
  .strictObject({
    role: RoleField.optional(),
    password: Password.optional().describe(`${LENGTHS}; ends the other sessions of the user`),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('Fields to change; the others stay')

const UserPath = z.object({ user_id: z.coerce.number().int().positive().describe('Number of the user') })

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
  addUser: {
    method: 'POST',
    path: '/account/users',
    access: 'owner',
    summary: 'Add a user',
    body: UserAddition,
    answer: AccountUser,
    status: 201,
    errors: { 409: 'the e-mail address is in use' },
  },
  changeUser: {
    method: 'PATCH',
    path: '/account/users/{user_id}',
    access: 'owner',
    summary: 'Change a role or a password',
    params: UserPath,
    body: UserChange,
    answer: AccountUser,
    errors: { 404: NO_USER, 409: LAST_OWNER },
  },
  removeUser: {
    method: 'DELETE',
    path: '/account/users/{user_id}',
    access: 'owner',
    summary: 'Remove a user',
    description: 'Ends their sessions at once.',
    params: UserPath,
    answer: 'nothing',
    errors: { 404: NO_USER, 409: LAST_OWNER },
  },
} as const satisfies Record<string, AccountOperation>

const USER: AccountUser = { ...SIGNED_IN_EXAMPLE, created_at: '2026-03-02T09:30:00.000Z' }

export const USER_EXAMPLES: Examples<typeof USER_OPERATIONS> = {
  listUsers: { answer: [USER] },
  addUser: { body: { email: USER.email, password: 'a kettle full of rain', role: 'owner' }, answer: USER },
  changeUser: { body: { role: 'analyst' }, answer: { ...USER, role: 'analyst' } },
  removeUser: {},
}
