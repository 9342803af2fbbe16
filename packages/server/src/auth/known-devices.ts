import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { derivedKey } from './derived-key.ts'

const ID_BYTES = 16
const FORM = /^([\w-]{22})\.([\w-]{43})$/

/**
 * Browsers that have signed in to an account before. Each has a budget of attempts of its own, so that somebody who
 * guesses elsewhere does not lock its user out (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export interface KnownDevices {
  /** The value of a cookie that names a new device of the account. */
  issue(email: string): string
  /** The device's ID; undefined unless this installation issued the cookie for this account. */
  read(cookie: string | undefined, email: string): string | undefined
}

/** @param secret of this installation */
export function createKnownDevices(secret: Uint8Array): KnownDevices {
  const key = derivedKey(secret, 'known devices')
  const sign = (id: string, email: string): string =>
    createHmac('sha256', key).update(`${id}\n${email}`).digest('base64url')
  return {
    issue(email) {
      const id = randomBytes(ID_BYTES).toString('base64url')
      return `${id}.${sign(id, email)}`
    },
    read(cookie, email) {
      const [, id, signature] = FORM.exec(cookie ?? '') ?? []
      if (id === undefined || signature === undefined) return undefined
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, email))) ? id : undefined
    },
  }
}
