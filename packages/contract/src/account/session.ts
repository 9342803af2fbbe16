import { z } from 'zod'
import { EmailField } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const ROLES = ['owner', 'analyst'] as const
export type Role = (typeof ROLES)[number]
export const RoleField = z.enum(ROLES).describe('An `owner` can change things, an `analyst` can only read')

export const SignedInUser = z
  .object({
    id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: RoleField,
  })
  .describe('The signed-in user')
export type SignedInUser = z.infer<typeof SignedInUser>

export const LoginBody = z
  .strictObject({
    email: EmailField.describe('In any case'),
    password: z.string().min(1).max(256).describe('The password'),
  })
  .describe('Credentials')
export type LoginBody = z.infer<typeof LoginBody>

export const SessionAnswer = z
  .object({
    access_token: z.string().describe('Bearer token; keep it in memory only'),
    expires_in: z.int().describe('Lifetime of the token in seconds'),
    user: SignedInUser.describe('Its user'),
  })
  .describe('An open session')
export type SessionAnswer = z.infer<typeof SessionAnswer>

const COOKIE_RULES =
  'The server checks `Sec-Fetch-Site` and `Origin` and answers 403 to pages of other origins.'

export const SESSION_OPERATIONS = {
  login: {
    method: 'POST',
    path: '/account/login',
    access: 'anyone',
    summary: 'Sign in',
    description: `Answers an access token and sets the refresh token as an HTTP-only cookie. A wrong password and an unknown address get the same answer after the same time. ${COOKIE_RULES}`,
    body: LoginBody,
    answer: SessionAnswer,
    errors: {
      401: 'e-mail address or password is wrong',
      429: 'too many attempts to sign in',
      503: 'server is busy',
    },
  },
  refreshSession: {
    method: 'POST',
    path: '/account/session/refresh',
    access: 'cookie',
    summary: 'Get the next access token',
    description: `Replaces the refresh cookie, which works once. Using it a second time ends the session, so let one tab at a time refresh. ${COOKIE_RULES}`,
    answer: SessionAnswer,
  },
  logout: {
    method: 'POST',
    path: '/account/session/logout',
    access: 'cookie',
    summary: 'Sign out',
    description: `Ends the session and its access tokens at once. ${COOKIE_RULES}`,
    answer: 'nothing',
  },
  getMe: {
    method: 'GET',
    path: '/account/me',
    access: 'analyst',
    summary: 'Get the signed-in user',
    answer: SignedInUser,
  },
} as const satisfies Record<string, AccountOperation>

export const SIGNED_IN_EXAMPLE: SignedInUser = { id: 1, email: 'mira@brewline.example', role: 'owner' }

const SESSION: SessionAnswer = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  expires_in: 600,
  user: SIGNED_IN_EXAMPLE,
}

export const SESSION_EXAMPLES: Examples<typeof SESSION_OPERATIONS> = {
  login: { body: { email: SIGNED_IN_EXAMPLE.email, password: 'a kettle full of rain' }, answer: SESSION },
  refreshSession: { answer: SESSION },
  logout: {},
  getMe: { answer: SIGNED_IN_EXAMPLE },
}
