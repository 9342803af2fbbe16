import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import {
  LoginToken,
  PASSKEY_ANSWER_EXAMPLE,
  PASSKEY_REQUEST_EXAMPLE,
  PasskeyAnswer,
  PasskeyRequest,
} from './sign-in.ts'
import { NewPasswordField } from './users.ts'

export const Passkey = z
  .object({
    id: z.int().describe('Number of the passkey'),
    name: z.string().describe('Given by its user'),
    created_at: Timestamp.describe('When it was added'),
    used_at: Timestamp.nullable().describe('Its last sign-in; null before the first'),
  })
  .describe('A passkey or a security key')
export type Passkey = z.infer<typeof Passkey>

export const OwnSession = z
  .object({
    id: z.int().describe('Number of the session'),
    current: z.boolean().describe('Whether this request belongs to it'),
    browser: z.string().describe('The browser as it named itself at the sign-in; empty if it did not'),
    created_at: Timestamp.describe('Time of the sign-in'),
    used_at: Timestamp.describe('When it was last extended'),
  })
  .describe('A session of the signed-in user')
export type OwnSession = z.infer<typeof OwnSession>

export const OwnSecurity = z
  .object({
    has_password: z.boolean().describe('False for somebody who signs in through the identity provider only'),
    authenticator_app: z.boolean().describe('Whether codes of an app are asked for'),
    recovery_codes_left: z.int().describe('Unused recovery codes'),
    passkeys: z.array(Passkey).describe('Oldest first'),
    sessions: z.array(OwnSession).describe('Newest first'),
  })
  .describe('How the signed-in user signs in, and where they are signed in')
export type OwnSecurity = z.infer<typeof OwnSecurity>

export const Proof = z
  .strictObject({
    password: z.string().min(1).max(256).optional().describe('The password'),
    login_token: LoginToken.optional(),
    passkey: PasskeyAnswer.optional().describe('Answer to the options of `startPasskeyProof`'),
  })
  .refine(
    ({ password, login_token, passkey }) =>
      password === undefined
        ? login_token !== undefined && passkey !== undefined
        : login_token === undefined && passkey === undefined,
    'either a password, or a passkey with its login_token',
  )
  .describe('Shows that the signed-in user is still at the browser')

export const OwnPasswordChange = z
  .strictObject({
    old_password: z.string().min(1).max(256).describe('The present password'),
    new_password: NewPasswordField,
  })
  .describe('A new password')

export const AuthenticatorSetup = z
  .object({
    secret: z.string().describe('Base32; to be typed into the app where no camera is'),
    uri: z.string().describe('`otpauth://`, to be shown as a QR code'),
  })
  .describe('A secret for an authenticator app, in force once a code confirms it')
export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetup>

export const AuthenticatorCode = z
  .strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, 'six digits')
      .describe('Six digits of the app'),
  })
  .describe('A code of the authenticator app')

const RecoveryCodesField = z
  .array(z.string())
  .describe('Each signs in once in place of the second factor; shown once. Empty if there are some already')

export const RecoveryCodes = z
  .object({ recovery_codes: RecoveryCodesField })
  .describe('Codes for the day when the second factor is lost')
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const NewPasskey = z
  .strictObject({
    login_token: LoginToken,
    name: z.string().trim().min(1).max(60).describe('To tell it apart, such as `laptop`'),
    passkey: PasskeyAnswer.describe('Answer to the options of `startPasskey`'),
  })
  .describe('A passkey that a browser has made')

export const AddedPasskey = z
  .object({ passkey: Passkey, recovery_codes: RecoveryCodesField })
  .describe('The passkey; with the first second factor come recovery codes')
export type AddedPasskey = z.infer<typeof AddedPasskey>

const WRONG_CODE = { 400: 'the code is wrong' }
const NO_PASSKEY = { 404: 'no such passkey' }

export const MY_ACCOUNT_OPERATIONS = {
  getSecurity: {
    method: 'GET',
    path: '/account/me/security',
    access: 'user',
    summary: 'Get how one signs in and where one is signed in',
    answer: OwnSecurity,
  },
  changeOwnPassword: {
    method: 'POST',
    path: '/account/me/password',
    access: 'user',
    summary: 'Change one’s own password',
    description: 'Ends the other sessions of the user.',
    body: OwnPasswordChange,
    answer: 'nothing',
    errors: { 403: 'the password is wrong', 429: 'too many attempts to sign in' },
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/account/me/sessions/{session_id}',
    access: 'user',
    summary: 'End one of one’s own sessions',
    params: z.object({ session_id: z.coerce.number().int().positive().describe('Number of the session') }),
    answer: 'nothing',
    errors: { 404: 'no such session' },
  },
  startPasskeyProof: {
    method: 'POST',
    path: '/account/me/proof/passkey',
    access: 'user',
    summary: 'Begin a proof with a passkey',
    answer: PasskeyRequest,
    errors: { 404: 'you have no passkey' },
  },
  proveIdentity: {
    method: 'POST',
    path: '/account/me/proof',
    access: 'user',
    summary: 'Prove who one is',
    description:
      'For the next five minutes the session may do what asks for a recent proof. Signing in counts as a proof.',
    body: Proof,
    answer: 'nothing',
    errors: { 403: 'the password or the passkey is wrong', 429: 'too many attempts to sign in' },
  },
  startAuthenticator: {
    method: 'POST',
    path: '/account/me/authenticator',
    access: 'user',
    proof: 'recent',
    summary: 'Begin to use an authenticator app',
    answer: AuthenticatorSetup,
    errors: { 409: 'an authenticator app is in use already' },
  },
  confirmAuthenticator: {
    method: 'POST',
    path: '/account/me/authenticator/confirm',
    access: 'user',
    proof: 'recent',
    summary: 'Use the authenticator app from now on',
    body: AuthenticatorCode,
    answer: RecoveryCodes,
    errors: WRONG_CODE,
  },
  removeAuthenticator: {
    method: 'DELETE',
    path: '/account/me/authenticator',
    access: 'user',
    proof: 'recent',
    summary: 'Stop using the authenticator app',
    answer: 'nothing',
    errors: { 404: 'no authenticator app is in use' },
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/account/me/recovery-codes',
    access: 'user',
    proof: 'recent',
    summary: 'Replace the recovery codes',
    description: 'The codes from before stop working.',
    answer: RecoveryCodes,
    errors: { 409: 'recovery codes belong to a second factor, and there is none' },
  },
  startPasskey: {
    method: 'POST',
    path: '/account/me/passkeys/options',
    access: 'user',
    proof: 'recent',
    summary: 'Begin to add a passkey',
    answer: PasskeyRequest,
  },
  addPasskey: {
    method: 'POST',
    path: '/account/me/passkeys',
    access: 'user',
    proof: 'recent',
    summary: 'Add a passkey',
    body: NewPasskey,
    answer: AddedPasskey,
    status: 201,
    errors: { 409: 'the passkey is known already' },
  },
  removePasskey: {
    method: 'DELETE',
    path: '/account/me/passkeys/{passkey_id}',
    access: 'user',
    proof: 'recent',
    summary: 'Remove a passkey',
    params: z.object({ passkey_id: z.coerce.number().int().positive().describe('Number of the passkey') }),
    answer: 'nothing',
    errors: NO_PASSKEY,
  },
} as const satisfies Record<string, AccountOperation>

const PASSKEY: Passkey = {
  id: 3,
  name: 'laptop',
  created_at: '2026-05-04T08:00:00.000Z',
  used_at: '2026-10-08T14:20:00.000Z',
}
const CODES = ['k3vq-7hzn-2wfa-pe4m', 'x6td-m9cb-5rgj-qs8y']

export const MY_ACCOUNT_EXAMPLES: Examples<typeof MY_ACCOUNT_OPERATIONS> = {
  getSecurity: {
    answer: {
      has_password: true,
      authenticator_app: true,
      recovery_codes_left: 10,
      passkeys: [PASSKEY],
      sessions: [
        {
          id: 41,
          current: true,
          browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
          created_at: '2026-10-08T14:20:00.000Z',
          used_at: '2026-10-08T15:10:00.000Z',
        },
      ],
    },
  },
  changeOwnPassword: {
    body: { old_password: 'a kettle full of rain', new_password: 'seven quiet harbours' },
  },
  endOwnSession: {},
  startPasskeyProof: { answer: PASSKEY_REQUEST_EXAMPLE },
  proveIdentity: { body: { password: 'a kettle full of rain' } },
  startAuthenticator: {
    answer: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Inkling:mira%40brewline.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Inkling',
    },
  },
  confirmAuthenticator: { body: { code: '290431' }, answer: { recovery_codes: CODES } },
  removeAuthenticator: {},
  renewRecoveryCodes: { answer: { recovery_codes: CODES } },
  startPasskey: { answer: PASSKEY_REQUEST_EXAMPLE },
  addPasskey: {
    body: {
      login_token: PASSKEY_REQUEST_EXAMPLE.login_token,
      name: 'laptop',
      passkey: PASSKEY_ANSWER_EXAMPLE,
    },
    answer: { passkey: PASSKEY, recovery_codes: [] },
  },
  removePasskey: {},
}
