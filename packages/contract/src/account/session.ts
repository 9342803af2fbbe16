import { z } from 'zod'
import { EmailField } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const ROLES = ['owner', 'analyst'] as const
export type Role = (typeof ROLES)[number]
export const RoleField = z.enum(ROLES).describe('`owner` changes things, `analyst` reads')

export const SignedInUser = z
  .object({
    id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: RoleField,
  })
  .describe('Whoever is signed in')
export type SignedInUser = z.infer<typeof SignedInUser>

export const LoginBody = z
  .strictObject({
    email: EmailField.describe('In any case'),
    password: z.string().min(1).max(256).describe('The password'),
  })
  .describe('Who signs in')
export type LoginBody = z.infer<typeof LoginBody>

export const SessionAnswer = z
  .object({
    access_token: z.string().describe('Bearer token; keep it in memory only'),
    expires_in: z.int().describe('Seconds until it stops working'),
    user: SignedInUser.describe('Whose it is'),
  })
  .describe('An open session')
export type SessionAnswer = z.infer<typeof SessionAnswer>

const COOKIE_RULES =
  'Refused with 403 when a page of another origin asks: `Sec-Fetch-Site` and `Origin` are checked.'

export const SESSION_OPERATIONS = {
  login: {
    method: 'POST',
    path: '/account/login',
    access: 'anyone',
    summary: 'Sign in',
    description: `Answers an access token and sets the refresh token as an HTTP-only cookie. A wrong password and an unknown address get the same answer after the same work. ${COOKIE_RULES}`,
    body: LoginBody,
    answer: SessionAnswer,
    refusals: {
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
    description: `Exchanges the refresh cookie for the next one, which works once. A cookie that was exchanged before ends the whole login, so let one tab at a time refresh. ${COOKIE_RULES}`,
    answer: SessionAnswer,
  },
  logout: {
    method: 'POST',
    path: '/account/session/logout',
    access: 'cookie',
    summary: 'Sign out',
    description: `Ends the login at once, its access tokens included. ${COOKIE_RULES}`,
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
