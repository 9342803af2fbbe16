import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

/** A key of an operator, usable now. */
export interface SigningKey {
  /** RFC 7638 thumbprint, by which signatures name it. */
  thumbprint: string
  /** The name that the directory gives it; some give none, or one of their own. */
  kid: string | undefined
  key: KeyObject
  /** Unix milliseconds; undefined where the directory sets no limit. */
  fromMs: number | undefined
  untilMs: number | undefined
}

/** Where an origin publishes its keys (draft-ietf-webbotauth-httpsig-protocol). */
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

/** More keys than any operator rotates through. */
const KEYS_MAX = 32
/** Of a raw Ed25519 key in base64url. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/

const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(COORDINATE),
  kid: z.string().max(256).optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
})

/**
 * The Ed25519 keys in a directory: a JWK set or, as shopify.com publishes it, a single JWK
 * (https://github.com/whisper-sec/web-bot-auth-directory-survey). Keys of other kinds are skipped.
 * @throws when it is neither
 */
export function readKeyDirectory(text: string): SigningKey[] {
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null) throw new Error('is not a key directory')
  const keys = 'keys' in json ? json.keys : [json]
  if (!Array.isArray(keys)) throw new Error('is not a key directory')
  return keys.slice(0, KEYS_MAX).flatMap((entry) => {
    const { data } = Jwk.safeParse(entry)
    return data ? [signingKey(data)] : []
  })
}

function signingKey({ kty, crv, x, kid, nbf, exp }: z.infer<typeof Jwk>): SigningKey {
  return {
    // The members that RFC 8037 requires, in the order of RFC 7638.
    thumbprint: createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'),
    kid,
    key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
    fromMs: milliseconds(nbf),
    untilMs: milliseconds(exp),
  }
}

/** The first directories were written in milliseconds, though JWT's times are seconds. */
const SECONDS_MAX = 1e11
const milliseconds = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time > SECONDS_MAX ? time : time * 1_000

/**
 * The key that a signature means. Operators whose directory names keys otherwise than by thumbprint sign with that name
 * or with the thumbprint; a directory with one key needs no name.
 */
export function keyNamed(
  keys: readonly SigningKey[],
  keyId: string | undefined,
  nowMs: number,
): SigningKey | undefined {
  const usable = keys.filter(
    ({ fromMs, untilMs }) => (fromMs ?? 0) <= nowMs && nowMs <= (untilMs ?? Infinity),
  )
  if (keyId === undefined) return usable.length === 1 ? usable[0] : undefined
  return usable.find(({ thumbprint }) => thumbprint === keyId) ?? usable.find(({ kid }) => kid === keyId)
}
