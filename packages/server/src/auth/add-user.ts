import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@inkling/contract/account'
import type { Store } from '../store/store.ts'
import { auditStore, type UserRow, userStore } from '../store/users/users.ts'
import { hashPassword } from './password.ts'

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
