import { z } from 'zod'
import { EmailField } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { COOKIE_RULES, SESSION_EXAMPLE, SessionAnswer } from './session.ts'

export const SignInMethods = z
  .object({
    identity_provider: z
      .string()
      .nullable()
      .describe('Host of the OpenID Connect provider that users can sign in with; null without one'),
  })
  .describe('Ways to sign in to this installation')
export type SignInMethods = z.infer<typeof SignInMethods>

export const LoginBody = z
  .strictObject({
    email: EmailField.describe('In any case'),
    password: z.string().min(1).max(256).describe('The password'),
  })
  .describe('Credentials')
export type LoginBody = z.infer<typeof LoginBody>

export const LoginToken = z.string().max(64).describe('Names the attempt; works once, for a few minutes')

/** What `navigator.credentials` takes and gives, in its JSON form. */
export const PasskeyOptions = z
  .looseObject({ challenge: z.string().describe('Base64url') })
  .describe('JSON form of the options of `navigator.credentials`, as WebAuthn Level 3 defines it')
export const PasskeyAnswer = z
  .looseObject({
    id: z.string().max(2_048).describe('ID of the credential, in base64url'),
    rawId: z.string().max(2_048).describe('The same'),
    type: z.literal('public-key').describe('Always this'),
    response: z.looseObject({}).describe('Signed by the authenticator'),
    clientExtensionResults: z.looseObject({}).describe('May be empty'),
  })
  .describe('JSON form of what `navigator.credentials` returned')
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

export const PasskeyRequest = z
  .object({ login_token: LoginToken, options: PasskeyOptions })
  .describe('A challenge for a passkey')
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

export const SecondFactorNeeded = z
  .object({
    login_token: LoginToken,
    methods: z
      .array(z.enum(['code', 'passkey']))
      .describe('`code` is one of an authenticator app or a recovery code'),
    passkey_options: PasskeyOptions.nullable().describe('Null for a user without passkeys'),
  })
  .describe('The password was right, and the user has a second factor')
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>

export const LoginAnswer = z
  .union([SessionAnswer, SecondFactorNeeded])
  .describe('An open session, or the next step')
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const SecondFactor = z
  .strictObject({
    login_token: LoginToken,
    code: z.string().min(6).max(40).optional().describe('Six digits, or a recovery code'),
    passkey: PasskeyAnswer.optional().describe('Answer to `passkey_options`'),
  })
  .refine(
    ({ code, passkey }) => (code === undefined) !== (passkey === undefined),
    'either a code or a passkey',
  )
  .describe('The second step of a sign-in')

export const PasskeyLogin = z
  .strictObject({ login_token: LoginToken, passkey: PasskeyAnswer })
  .describe('A sign-in with a passkey alone')

export const ProviderLogin = z
  .strictObject({ fresh: z.boolean().optional().describe('Ask the provider to check who it is again') })
  .describe('A sign-in with the OpenID Connect provider')

export const ProviderAddress = z
  .object({ url: z.url().describe('Send the browser there') })
  .describe('Where the provider asks for a login')
export type ProviderAddress = z.infer<typeof ProviderAddress>

export const ProviderReturn = z
  .strictObject({
    parameters: z
      .string()
      .max(8_192)
      .describe('Query with which the provider sent the browser back, without `?`'),
  })
  .describe('What the provider answered')

const FAILED = {
  401: 'the code or the passkey is wrong',
  429: 'too many attempts to sign in',
  503: 'server is busy',
}

export const SIGN_IN_OPERATIONS = {
  getSignInMethods: {
    method: 'GET',
    path: '/account/login',
    access: 'anyone',
    summary: 'List the ways to sign in',
    answer: SignInMethods,
  },
  login: {
    method: 'POST',
    path: '/account/login',
    access: 'anyone',
    summary: 'Sign in',
    description: `Answers an access token and sets the refresh token as an HTTP-only cookie; a user with a second factor gets a login token for \`loginSecondFactor\` instead. A wrong password and an unknown address get the same answer after the same time. ${COOKIE_RULES}`,
    body: LoginBody,
    answer: LoginAnswer,
    errors: {
      401: 'e-mail address or password is wrong',
      429: 'too many attempts to sign in',
      503: 'server is busy',
    },
  },
  loginSecondFactor: {
    method: 'POST',
    path: '/account/login/second-factor',
    access: 'anyone',
    summary: 'Sign in: the second step',
    description: `A code works once. ${COOKIE_RULES}`,
    body: SecondFactor,
    answer: SessionAnswer,
    errors: FAILED,
  },
  startPasskeyLogin: {
    method: 'POST',
    path: '/account/login/passkey/options',
    access: 'anyone',
    summary: 'Begin a sign-in with a passkey',
    description: COOKIE_RULES,
    answer: PasskeyRequest,
    errors: { 429: FAILED[429] },
  },
  passkeyLogin: {
    method: 'POST',
    path: '/account/login/passkey',
    access: 'anyone',
    summary: 'Sign in with a passkey',
    description: `The passkey stands for the password and the second factor, because the authenticator checks its user. ${COOKIE_RULES}`,
    body: PasskeyLogin,
    answer: SessionAnswer,
    errors: FAILED,
  },
  startProviderLogin: {
    method: 'POST',
    path: '/account/login/provider',
    access: 'anyone',
    summary: 'Begin a sign-in with the OpenID Connect provider',
    description: `Sets a cookie that ties the answer to this browser. ${COOKIE_RULES}`,
    body: ProviderLogin,
    answer: ProviderAddress,
    errors: {
      404: 'no identity provider is set',
      429: FAILED[429],
      503: 'the identity provider cannot be reached',
    },
  },
  finishProviderLogin: {
    method: 'POST',
    path: '/account/login/provider/return',
    access: 'anyone',
    summary: 'Sign in with the answer of the OpenID Connect provider',
    description: COOKIE_RULES,
    body: ProviderReturn,
    answer: SessionAnswer,
    errors: {
      401: 'the identity provider did not confirm the login',
      404: 'no identity provider is set',
      429: FAILED[429],
    },
  },
} as const satisfies Record<string, AccountOperation>

const LOGIN_TOKEN = 'bTsH4b0n1d8cH0n9Qx2vX1m2u8h6tqk0'
export const PASSKEY_REQUEST_EXAMPLE: PasskeyRequest = {
  login_token: LOGIN_TOKEN,
  options: { challenge: 'q7R0c2k5', rpId: 'tools.brewline.example' },
}
export const PASSKEY_ANSWER_EXAMPLE: PasskeyAnswer = {
  id: 'Zm9yIGV4YW1wbGU',
  rawId: 'Zm9yIGV4YW1wbGU',
  type: 'public-key',
  response: {},
  clientExtensionResults: {},
}

export const SIGN_IN_EXAMPLES: Examples<typeof SIGN_IN_OPERATIONS> = {
  getSignInMethods: { answer: { identity_provider: 'login.brewline.example' } },
  login: {
    body: { email: SESSION_EXAMPLE.user.email, password: 'a kettle full of rain' },
    answer: SESSION_EXAMPLE,
  },
  loginSecondFactor: { body: { login_token: LOGIN_TOKEN, code: '290431' }, answer: SESSION_EXAMPLE },
  startPasskeyLogin: { answer: PASSKEY_REQUEST_EXAMPLE },
  passkeyLogin: {
    body: { login_token: LOGIN_TOKEN, passkey: PASSKEY_ANSWER_EXAMPLE },
    answer: SESSION_EXAMPLE,
  },
  startProviderLogin: {
    body: {},
    answer: { url: 'https://login.brewline.example/authorize?client_id=inkling' },
  },
  finishProviderLogin: {
    body: { parameters: 'code=8d2f&state=xk1' },
    answer: SESSION_EXAMPLE,
  },
}
