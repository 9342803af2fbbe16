import type { PasskeyAnswer, PasskeyRequest } from '@inkling/contract/account'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Asks the browser to make a passkey. */
export const makePasskey = (options: PasskeyRequest['options']): Promise<PasskeyAnswer> =>
  inWords(async () =>
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  )

/** Asks the browser for a passkey. */
export const showPasskey = (options: PasskeyRequest['options']): Promise<PasskeyAnswer> =>
  inWords(async () =>
    startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  )

/** Browsers report a closed dialog, a device that does not answer and a wrong address as exceptions with names. */
async function inWords(ask: () => Promise<object>): Promise<PasskeyAnswer> {
  try {
    return (await ask()) as PasskeyAnswer
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new Error(REASONS[name] ?? 'The browser could not use a passkey here.', { cause: error })
  }
}

const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was used: the request was cancelled or took too long.',
  AbortError: 'No passkey was used: the request was cancelled.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys work under the public address of the dashboard only, over https or on localhost.',
}
