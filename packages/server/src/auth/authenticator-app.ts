import { Secret, TOTP } from 'otpauth'

/** What authenticator apps expect unless told otherwise (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
const ISSUER = 'Inkling'
const DIGITS = 6
const PERIOD_SECONDS = 30
/** A code of the step before and of the step after works too: clocks differ, and typing takes time. */
const WINDOW_STEPS = 1
/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

export const totpUri = (secret: string, email: string): string => totp(secret, email).toString()

/** The time step of a right code; undefined for a wrong one. A step may be used once (RFC 6238, section 5.2). */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totp(secret, '').validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS })
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta
}

const totp = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  })
