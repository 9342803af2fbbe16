import type { SecretBox } from '../lib/secret-box.ts'
import type { EndpointChange, EndpointRow } from '../store/domains/domains.ts'
import { newSigningSecret } from './keys.ts'

/** The secrets of one webhook endpoint in plain text. */
export interface SigningSecrets {
  secret: string
  /** The secret before the last rotation, until receivers must have changed. */
  previous: { secret: string; untilMs: number } | undefined
}

type SealedSecrets = Pick<EndpointRow, 'sealed_secret' | 'previous_secret' | 'previous_until'>

export const openSigningSecrets = (
  { sealed_secret, previous_secret, previous_until }: SealedSecrets,
  box: SecretBox,
): SigningSecrets => ({
  secret: box.open(sealed_secret),
  previous:
    previous_secret === null || previous_until === null
      ? undefined
      : { secret: box.open(previous_secret), untilMs: previous_until },
})

/**
 * A new signing secret and the change that stores it. The one before it stays valid until `previousUntil`; an earlier
 * one does not.
 */
export function newSecret(
  box: SecretBox,
  { sealed_secret }: Pick<EndpointRow, 'sealed_secret'>,
  previousUntil: number,
): { secret: string; change: EndpointChange } {
  const secret = newSigningSecret()
  return {
    secret,
    change: {
      sealed_secret: box.seal(secret),
      previous_secret: sealed_secret,
      previous_until: previousUntil,
    },
  }
}
