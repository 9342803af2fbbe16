import { createHash, randomInt } from 'node:crypto'

const CODES = 10
const GROUPS = 4
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const group = (): string => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Ten codes of 79 random bits each. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join('-'))

/** The stored form of a recovery code, however it was typed. */
export const hashRecoveryCode = (code: string): Uint8Array =>
  new Uint8Array(
    createHash('sha256')
      .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
      .digest(),
  )
