import type { PasskeyAnswer } from '@inkling/contract/account'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { PasskeyRow } from '../store/users/second-factors.ts'

/** The site that passkeys belong to: the host and the origin of the dashboard's public URL. */
export interface PasskeySite {
  host: string
  origin: string
}

export const passkeySite = (baseUrl: string): PasskeySite => {
  const { hostname, origin } = new URL(baseUrl)
  return { host: hostname, origin }
}

const SITE_NAME = 'Inkling'
/** Ed25519, ES256 and RS256 (https://www.iana.org/assignments/cose): what authenticators have. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded when somebody uses a passkey: it brings parsers for certificates, and most installations start without. */
const library = () => import('@simplewebauthn/server')

const described = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: JSON.parse(transports) as string[],
})

/** Options for a browser that makes a passkey. It can sign in alone, so the authenticator should check its user. */
export async function passkeyCreation(
  { host }: PasskeySite,
  user: { id: number; email: string },
  present: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: host,
    userName: user.email,
    // Names the user to the authenticator without saying who it is.
    userID: new Uint8Array(Buffer.from(`inkling user ${user.id}`)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: present.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Options for a browser that shows a passkey: one of the given, or without any, of whoever signs in. */
export async function passkeyChallenge(
  { host }: PasskeySite,
  allowed: readonly PasskeyRow[] | undefined,
  verification: 'required' | 'preferred',
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    userVerification: verification,
    ...(allowed && { allowCredentials: allowed.map(described) }),
  })
}

type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential']

/** The credential of a new passkey; undefined unless it answers the challenge for this site. */
export async function newCredential(
  { host, origin }: PasskeySite,
  answer: PasskeyAnswer,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    })
    return registrationInfo?.credential
  } catch {
    return undefined
  }
}

interface Expected {
  challenge: string
  /** Whether the authenticator must have checked its user. */
  verified: boolean
}

/** The next counter of a passkey; undefined unless it signed the challenge for this site. */
export async function checkPasskey(
  { host, origin }: PasskeySite,
  answer: PasskeyAnswer,
  passkey: PasskeyRow,
  { challenge, verified }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const result = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      credential: {
        ...described(passkey),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: verified,
    })
    return result.verified ? result.authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
