const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const utf8 = new TextEncoder()

/**
 * Whether a webhook was signed with one of the secrets. Give it the body as it arrived, byte for byte:
 * parsing and writing JSON again changes the bytes. The key is the whole secret, `whsec_` included.
 * After a rotation give both secrets until every delivery in flight has landed.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | string,
  header: string | null | undefined,
  secrets: string | readonly string[],
): Promise<boolean> {
  const hex = SIGNATURE.exec(header ?? '')?.[1]
  if (!hex) return false
  const signature = Uint8Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
  const body = typeof rawBody === 'string' ? utf8.encode(rawBody) : new Uint8Array(rawBody)
  const given = (typeof secrets === 'string' ? [secrets] : secrets).filter((secret) => secret !== '')
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
