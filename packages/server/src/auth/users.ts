import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@inkling/contract/account'
import type { Store } from '../store/store.ts'
import { auditStore, type UserRow, userStore } from '../store/users/users.ts'

/** RFC 5321, section 4.5.3.1.3. */
const EMAIL_LENGTH_MAX = 254

/** In lower case; undefined for what is no address. `admin@localhost` is one. */
export function emailAddress(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined
}

/** What is wrong with a new password; undefined when it will do. */
export const passwordFault = (password: string): string | undefined =>
  password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX
    ? `a password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`
    : undefined

export interface NewUser {
  /** From `emailAddress`. */
  email: string
  password: string
  role: UserRow['role']
}

/** Undefined when somebody has the address. */
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

const EMAIL = 'admin@localhost'
const PASSWORD_BYTES = 15

export interface FirstLogin {
  email: string
  /** In the clear, to be shown once. */
  password: string
}

/** Adds the owner of a new installation; undefined when there is one. */
export async function addFirstOwner(store: Store, nowMs: number): Promise<FirstLogin | undefined> {
  const login = { email: EMAIL, password: randomBytes(PASSWORD_BYTES).toString('base64url') }
  const added = await addUser(store, { ...login, role: 'owner' }, { actor: 'first start', nowMs })
  return added && login
}

const derive = promisify(argon2)

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB of memory, two passes and one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/

/** PHC string: it carries its parameters, so that they can grow while older hashes go on working. */
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

/** What a password is checked against where there is no user: it takes as long, and none matches it. */
export const NO_USER_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`

/** Whether `password` is the one that `stored` was made of. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored) ?? []
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
