import type { ENCRYPTED_BODY } from '@inkling/contract'

/** Repeated here, because importing the value would bundle the schema library. The type keeps the two equal. */
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
 * Prepares encryption: ephemeral ECDH on P-256, HKDF-SHA-256 and AES-256-GCM, bound to the request ID; `ENCRYPTED_BODY`
 * in the contract has the layout. The keys are made here, while readings are collected; the returned function encrypts
 * a body. Rejects where the page cannot encrypt.
 */
export async function openSealer(
  requestId: string,
  serverKey: string,
): Promise<(text: string) => Promise<Blob>> {
  // Undefined on insecure origins, where the next line throws.
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
    // Without a type: a Content-Type header would cost a preflight.
    return new Blob([Uint8Array.of(LAYOUT.versionByte), publicKey, nonce, sealed])
  }
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
