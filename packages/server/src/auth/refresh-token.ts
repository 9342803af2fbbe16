import { createHash, randomBytes } from 'node:crypto'

const FAMILY_BYTES = 16
const SECRET_BYTES = 32

/** `FAMILY.SECRET`: the family stays over a login, the secret is good for one refresh. */
export interface RefreshToken {
  family: Uint8Array
  text: string
}

export const newFamily = (): Uint8Array => new Uint8Array(randomBytes(FAMILY_BYTES))

export const newRefreshToken = (family: Uint8Array): RefreshToken => ({
  family,
  text: `${Buffer.from(family).toString('base64url')}.${randomBytes(SECRET_BYTES).toString('base64url')}`,
})

const FORM = /^([\w-]{22})\.[\w-]{43}$/

/** Undefined for what was never a refresh token. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const family = FORM.exec(text)?.[1]
  return family === undefined
    ? undefined
    : { family: Uint8Array.from(Buffer.from(family, 'base64url')), text }
}

/** What is stored: 256 random bits cannot be guessed back from their hash. */
export const hashRefreshToken = ({ text }: RefreshToken): Uint8Array =>
  new Uint8Array(createHash('sha256').update(text).digest())
