import type { ENCRYPTED_BODY } from '@inkling/contract'

type Layout = typeof ENCRYPTED_BODY

/**
 * Repeated here, because importing the values would bundle the schema library. The types keep them equal. The tag has
 * the length that browsers use unless they are told another one.
 */
const VERSION_BYTE: Layout['versionByte'] = 1
const NONCE_BYTES: Layout['nonceBytes'] = 12
const INFO: Layout['info'] = 'inkling ingest v1'

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
    { name: 'HKDF', hash: 'SHA-256', salt: publicKey, info: bytesOf(INFO) },
    await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']),
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  )
  return async (text) => {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const sealed = await subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: bytesOf(requestId) },
      key,
      bytesOf(text),
    )
    // Without a type: a Content-Type header would cost a preflight.
    return new Blob([Uint8Array.of(VERSION_BYTE), publicKey, nonce, sealed])
  }
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
