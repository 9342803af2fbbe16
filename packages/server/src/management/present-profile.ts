import type { DomainProfile } from '@inkling/contract'
import type { DomainRow } from '../store/domains/domains.ts'

const SHOWN = 4
/** The Secret Key itself is not stored, only its hash and its last characters. */
const SECRET_KEY_LENGTH = 32
/** Stands for a domain of which nobody knows since when it is registered. */
const UNKNOWN_TIME = '0001-01-01T00:00:00Z'

/** Keys in the order sent. */
export const presentProfile = (row: DomainRow, callback: string): DomainProfile => ({
  Domain: row.name,
  Weight: row.remaining,
  Callback: callback,
  PublicKey: mask(row.public_key),
  Secret: row.secret_key_tail.padStart(SECRET_KEY_LENGTH, '*'),
  CreatedAt: row.created_at === 0 ? UNKNOWN_TIME : `${new Date(row.created_at).toISOString().slice(0, 19)}Z`,
})

/** Every character but the last four becomes `*`; four or fewer stay. */
export const mask = (key: string): string => key.slice(-SHOWN).padStart(key.length, '*')
