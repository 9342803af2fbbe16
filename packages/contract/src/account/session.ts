import { z } from 'zod'
import type { AccountOperation, Examples } from './operation.ts'
import { RoleField } from './roles.ts'

export const SignedInUser = z
  .object({
    id: z.int().describe('Number of the user'),
    email: z.string().describe('In lower case'),
    role: RoleField,
  })
  .describe('The signed-in user')
export type SignedInUser = z.infer<typeof SignedInUser>

export const SessionAnswer = z
  .object({
    access_token: z.string().describe('Bearer token; keep it in memory only'),
    expires_in: z.int().describe('Lifetime of the token in seconds'),
    user: SignedInUser.describe('Its user'),
  })
  .describe('An open session')
export type SessionAnswer = z.infer<typeof SessionAnswer>

export const COOKIE_RULES =
  'The server checks `Sec-Fetch-Site` and `Origin` and answers 403 to pages of other origins.'

export const SESSION_OPERATIONS = {
  refreshSession: {
    method: 'POST',
    path: '/account/session/refresh',
    access: 'cookie',
    summary: 'Get the next access token',
    description: `Replaces the refresh cookie. For a minute the replaced one answers the same successor, so that two tabs or a lost answer do not end the session; using it later does. ${COOKIE_RULES}`,
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
    access: 'user',
    summary: 'Get the signed-in user',
    answer: SignedInUser,
  },
} as const satisfies Record<string, AccountOperation>

export const SIGNED_IN_EXAMPLE: SignedInUser = { id: 1, email: 'mira@brewline.example', role: 'owner' }

export const SESSION_EXAMPLE: SessionAnswer = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  expires_in: 600,
  user: SIGNED_IN_EXAMPLE,
}

export const SESSION_EXAMPLES: Examples<typeof SESSION_OPERATIONS> = {
  refreshSession: { answer: SESSION_EXAMPLE },
  logout: {},
  getMe: { answer: SIGNED_IN_EXAMPLE },
}
