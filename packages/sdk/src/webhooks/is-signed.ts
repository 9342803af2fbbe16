import { InklingError } from '../inkling-error.ts'

const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const utf8 = new TextEncoder()

/** A header as the runtimes give it: `Headers.get` answers null, Node's `headers` a text or several. */
export type SignatureHeader = string | readonly string[] | null | undefined

/** Whether one of the secrets signed these bytes. Every secret is tried, whichever fits. */
export async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  header: SignatureHeader,
  secrets: string | readonly string[],
): Promise<boolean> {
  // An unset variable must not become a key that anybody can sign with.
  const given = [secrets].flat().filter((secret) => secret !== '')
  if (given.length === 0) throw new InklingError('invalid_argument', 'no signing secret is given')
  const hex = SIGNATURE.exec(typeof header === 'string' ? header : '')?.[1]
  if (!hex) return false
  const signature = Uint8Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
  const matches = await Promise.all(given.map((secret) => isSignedWith(secret, signature, body)))
  return matches.includes(true)
}

async function isSignedWith(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), HMAC, false, ['verify'])
  // Web Cryptography requires this comparison to be constant-time.
  return crypto.subtle.verify(HMAC, key, signature, body)
}
