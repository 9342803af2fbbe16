import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { ENCRYPTED_BODY } from '@inkling/contract'
import { Refusal } from '../lib/refusal.ts'

const { versionByte, publicKeyBytes, nonceBytes, tagBytes, info } = ENCRYPTED_BODY
const HEADER_BYTES = 1 + publicKeyBytes + nonceBytes

export interface BodyDecoder {
  /** The raw point of the P-256 public key that the agent carries. */
  publicKey: Buffer
  /**
   * The plain JSON text of an ingest body. An encrypted one opens only under the request ID it was made
   * for. Throws a `Refusal` for a body that cannot be read.
   */
  decode(body: Buffer, requestId: string): string
}

export function createBodyDecoder(privateKey: Uint8Array): BodyDecoder {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)

  function decrypt(body: Buffer, requestId: string): string {
    const ephemeral = body.subarray(1, 1 + publicKeyBytes)
    const nonce = body.subarray(1 + publicKeyBytes, HEADER_BYTES)
    const key = hkdfSync('sha256', ecdh.computeSecret(ephemeral), ephemeral, info, 32)
    const decipher = createDecipheriv('aes-256-gcm', new Uint8Array(key), nonce)
    decipher.setAAD(Buffer.from(requestId.toLowerCase(), 'utf8'))
    decipher.setAuthTag(body.subarray(-tagBytes))
    const text = decipher.update(body.subarray(HEADER_BYTES, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }

  return {
    publicKey: ecdh.getPublicKey(),
    decode(body, requestId) {
      // JSON text never starts with this byte, so the two forms cannot be confused.
      if (body[0] !== versionByte) return body.toString('utf8')
      try {
        if (body.length < HEADER_BYTES + tagBytes) throw new RangeError('shorter than its header')
        return decrypt(body, requestId)
      } catch (cause) {
        throw new Refusal('invalid_request', 'body could not be decrypted', { cause })
      }
    },
  }
}
