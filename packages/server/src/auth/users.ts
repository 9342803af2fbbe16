import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { auditStore, type UserRow, userStore } from '../store/users/users.ts'

/** RFC 5321, section 4.5.3.1.3. */
const EMAIL_LENGTH_MAX = 254

/** Normalises an e-mail address to lower case; undefined if malformed. `admin@localhost` is valid. */
export function emailAddress(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined
}

/** The hash of a user who signs in through the identity provider only. */
export const NO_PASSWORD = ''

export interface NewUser {
  /** Normalised by `emailAddress`. */
  email: string
  password: string
  role: UserRow['role']
}

/** Adds a user with an audit entry; undefined if the address is in use. */
export async function addUser(
  store: Store,
  { email, password, role }: NewUser,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<UserRow | undefined> {
  const password_hash = await hashPassword(password)
  return store.writes.transaction().execute(async (transaction) => {
    const added = await userStore(transaction).add({ email, password_hash, role, created_at: nowMs })
    if (added)
      await auditStore(transaction).add({ actor, action: 'user.add', target: email, detail: { role } }, nowMs)
    return added
  })
}

/**
 * Runs after a change, in its transaction: without an owner nobody could manage users.
 * @throws AppError `INK_LAST_OWNER`, which rolls the change back
 */
export async function keepAnOwner(transaction: Kysely<Schema>): Promise<void> {
  if ((await userStore(transaction).countOwners()) === 0) throw new AppError('INK_LAST_OWNER')
}

/** What a sign-in verified of a user. */
export type VerifiedUser = Pick<UserRow, 'id' | 'password_hash' | 'provider_subject'>

/**
 * The user as the transaction sees them. Checking a password takes long enough for it to be replaced meanwhile, and what
 * the old one opens would outlive the change.
 * @throws AppError `INK_STEP_ENDED` if password or identity provider are not those that were verified, or the user is gone
 */
export async function sameUser(transaction: Kysely<Schema>, verified: VerifiedUser): Promise<UserRow> {
  const user = await userStore(transaction).find(verified.id)
  if (user?.password_hash !== verified.password_hash || user.provider_subject !== verified.provider_subject)
    throw new AppError('INK_STEP_ENDED')
  return user
}

const EMAIL = 'admin@localhost'
const PASSWORD_BYTES = 15

export interface FirstLogin {
  email: string
  /** To be shown once. */
  password: string
}

/** Adds the owner of a new installation; undefined if there is one. */
export async function addFirstOwner(store: Store, nowMs: number): Promise<FirstLogin | undefined> {
  const login = { email: EMAIL, password: randomBytes(PASSWORD_BYTES).toString('base64url') }
  const added = await addUser(store, { ...login, role: 'owner' }, { actor: 'first start', nowMs })
  return added && login
}

const derive = promisify(argon2)

/**
 * argon2id with 19 MiB of memory, two passes and one lane
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/

/** Hashes a password to a PHC string. It includes the parameters, so that they can change and older hashes still work. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`
}

/** A hash that no password matches. Checking it for an unknown user takes as long as a real check. */
export const NO_USER_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`

/** Checks a password against a stored hash. That of a user without a password is empty and takes as long to fail. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] =
    PHC.exec(stored === '' ? NO_USER_HASH : stored) ?? []
  if (memory === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: Number(lanes),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  })
  return timingSafeEqual(actual, expected)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
