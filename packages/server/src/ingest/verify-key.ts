import { createHash, createPublicKey, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyProof } from '../visit/proof.ts'

const verifying = promisify(verify)

/** Before the compressed point of a P-256 key, as SubjectPublicKeyInfo (https://www.rfc-editor.org/rfc/rfc5480). */
const SPKI_START = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
/** Base64url of a compressed point, and of a signature of 64 bytes, without padding. */
const KEY_LENGTH = 44
const SIGNATURE_LENGTH = 86

/**
 * What a body's key and signature prove. A missing key and `null`, which says that the browser can keep none, are no
 * forgery. The signature is checked in the thread pool: it takes as long as everything else about a body's proof.
 * @param signed the text that the agent signed
 */
export async function verifyKey(
  { key, signature }: { key: unknown; signature: unknown },
  signed: string,
): Promise<KeyProof> {
  if (key === undefined) return { state: 'none' }
  if (key === null) return { state: 'unsupported' }
  // The page was left before it could sign.
  if (signature === undefined) return { state: 'none' }
  const [point, proof] = [bytesOf(key, KEY_LENGTH), bytesOf(signature, SIGNATURE_LENGTH)]
  if (!point || !proof) return { state: 'invalid' }
  try {
    const publicKey = createPublicKey({
      key: Buffer.concat([SPKI_START, point]),
      format: 'der',
      type: 'spki',
    })
    const isGenuine = await verifying(
      'sha256',
      Buffer.from(signed),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      proof,
    )
    return isGenuine ? { state: 'proven', id: keyId(point) } : { state: 'invalid' }
  } catch {
    // No point of the curve.
    return { state: 'invalid' }
  }
}

/** 128 bits tell all keys of the world apart. */
const keyId = (point: Buffer): string => createHash('sha256').update(point).digest('hex').slice(0, 32)

function bytesOf(text: unknown, length: number): Buffer | undefined {
  return typeof text === 'string' && text.length === length ? Buffer.from(text, 'base64url') : undefined
}
