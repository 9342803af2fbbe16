import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const API_KEY_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const HEX_KEY_BYTES = 16

const group = (): string =>
  Array.from({ length: 8 }, () => API_KEY_ALPHABET[randomInt(API_KEY_ALPHABET.length)]).join('')

/** Private API Key of the History API: `sec_` and three groups of eight. */
export const newApiKey = (): string => `sec_${group()}-${group()}-${group()}`

/** Public Key, or Secret Key of the Management API: 32 hexadecimal digits. */
export const newHexKey = (): string => randomBytes(HEX_KEY_BYTES).toString('hex')

/** The key by which a customer's backend signs account identifiers: `usr_` and 64 hexadecimal digits. */
export const newUserKey = (): string => `usr_${randomBytes(32).toString('hex')}`

/** Signing secret of one webhook endpoint. */
export const newSigningSecret = (): string => `whsec_${randomBytes(HEX_KEY_BYTES).toString('hex')}`

/**
 * The stored form of a key. Keys have at least 124 random bits, so a plain hash cannot be reversed by guessing, and
 * the time of a lookup by hash does not tell how much of a key was right.
 */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** The characters of a masked key that stay visible. */
export const keyTail = (key: string): string => key.slice(-4)

/** Compares a Secret Key with a domain's in constant time. */
export const matchesSecretKey = (domain: { secretKeyHash: Uint8Array }, key: string): boolean =>
  timingSafeEqual(hashKey(key), domain.secretKeyHash)

/** `Bearer` is matched in any case and blanks around it do not matter; undefined without a token. */
export function bearerToken(authorization: string | undefined): string | undefined {
  // Trimmed first: a pattern that also looks for blanks at the end takes quadratic time on a hostile header.
  return /^bearer\s+(.+)$/i.exec((authorization ?? '').trim())?.[1]
}
