import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { growingCache } from '../lib/growing-cache.ts'
import type { KeyProof } from '../visit/proof.ts'

/** Before the compressed point of a P-256 key, as SubjectPublicKeyInfo (https://www.rfc-editor.org/rfc/rfc5480). */
const SPKI_START = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
const POINT_BYTES = 33
const SIGNATURE_BYTES = 64

interface BrowserKey {
  key: KeyObject
  id: string
}

/** Reading a key takes two thirds of the time of a check, and a visitor loads several pages. About 2 KB each. */
const known = growingCache<string, BrowserKey>(5_000)

/**
 * What a body's key and signature prove. A missing key and `null`, which says that the browser can keep none, are no
 * forgery; without a signature the page was left before it could sign. Takes about a tenth of a millisecond, and twice
 * that in the thread pool.
 * @param signed the text that the agent signed
 */
export function verifyKey(
  { key, signature }: { key?: unknown; signature?: unknown },
  signed: string,
): KeyProof {
  if (key === null) return { state: 'unsupported' }
  if (key === undefined || signature === undefined) return { state: 'none' }
  const browser = browserKey(key)
  const bytes = bytesOf(signature, SIGNATURE_BYTES)
  const isGenuine =
    browser !== undefined &&
    bytes !== undefined &&
    verify('sha256', Buffer.from(signed), { key: browser.key, dsaEncoding: 'ieee-p1363' }, bytes)
  return isGenuine ? { state: 'proven', id: browser.id } : { state: 'invalid' }
}

/** Undefined where the text is no point of the curve. */
function browserKey(text: unknown): BrowserKey | undefined {
  const before = typeof text === 'string' ? known.get(text) : undefined
  if (before) return before
  const point = bytesOf(text, POINT_BYTES)
  if (!point) return undefined
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_START, point]), format: 'der', type: 'spki' })
    // 128 bits tell all keys of the world apart.
    const browser = { key, id: hash('sha256', point, 'hex').slice(0, 32) }
    known.set(String(text), browser)
    return browser
  } catch {
    return undefined
  }
}

/** So many bytes of base64. */
function bytesOf(text: unknown, count: number): Buffer | undefined {
  // A longer text need not be decoded.
  if (typeof text !== 'string' || text.length > count * 2) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === count ? bytes : undefined
}
