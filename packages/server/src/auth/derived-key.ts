import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

/** A key for one purpose only, from the secret of this installation. */
export const derivedKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `inkling ${purpose}`, KEY_BYTES))
