import type { ENCRYPTED_BODY } from '@inkling/contract'

/** Repeated, as importing the value would bring the schema library along; the type keeps the two equal. */
const LAYOUT: typeof ENCRYPTED_BODY = {
  versionByte: 1,
  publicKeyBytes: 65,
  nonceBytes: 12,
  tagBytes: 16,
  info: 'inkling ingest v1',
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/**
 * What gives a body its encrypted form, which opens only under this request ID. All that does not depend on the
 * body is done before, beside the collecting. Rejects where a page cannot encrypt.
 */
export async function openSealer(
  requestId: string,
  serverKey: string,
): Promise<(text: string) => Promise<Blob>> {
  // Missing on insecure origins: the rejection is the answer.
  const { subtle } = crypto
  const [server, own] = await Promise.all([
    subtle.importKey('raw', fromBase64Url(serverKey), CURVE, false, []),
    subtle.generateKey(CURVE, false, ['deriveBits']),
  ])
  const [secret, publicKey] = await Promise.all([
    subtle.deriveBits({ name: 'ECDH', public: server }, own.privateKey, 256),
    subtle.exportKey('raw', own.publicKey),
  ])
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: publicKey, info: bytesOf(LAYOUT.info) },
    await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']),
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  )
  return async (text) => {
    const nonce = crypto.getRandomValues(new Uint8Array(LAYOUT.nonceBytes))
    const sealed = await subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: bytesOf(requestId), tagLength: LAYOUT.tagBytes * 8 },
      key,
      bytesOf(text),
    )
    // Without a type, so that the request has no Content-Type that would cost a preflight.
    return new Blob([Uint8Array.of(LAYOUT.versionByte), publicKey, nonce, sealed])
  }
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
