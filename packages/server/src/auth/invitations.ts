import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import type { Store } from '../store/store.ts'
import { type InvitationRow, invitationStore, loginStepStore } from '../store/users/login-steps.ts'
import { auditStore, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { hashToken, newToken } from './login-steps.ts'
import { passwordFault } from './password-rules.ts'
import { hashPassword } from './users.ts'

/** Over a weekend, and not for longer than a mailbox stays in one person's hands. */
const LASTING_MS = 3 * DAY_MS

export interface MadeInvitation {
  row: InvitationRow
  /** To be shown once. */
  token: string
}

interface Guest {
  /** In lower case. */
  email: string
  role: UserRow['role']
  /** A user who gets a new password. */
  userId?: number
}

/** Makes a link with which one person chooses a password; an earlier one for the same address stops working. */
export async function invite(
  store: Store,
  { email, role, userId }: Guest,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<MadeInvitation> {
  const token = newToken()
  const action = userId === undefined ? 'user.invite' : 'user.password_link'
  const row = await store.writes.transaction().execute(async (transaction) => {
    if (userId === undefined && (await userStore(transaction).findByEmail(email)))
      throw new AppError('INK_USER_EXISTS')
    await auditStore(transaction).add({ actor, action, target: email, detail: { role } }, nowMs)
    return invitationStore(transaction).add(
      {
        token_hash: hashToken(token),
        email,
        user_id: userId ?? null,
        role,
        invited_by: actor,
        expires_at: nowMs + LASTING_MS,
      },
      nowMs,
    )
  })
  return { row, token }
}

const ENDED = (): AppError =>
  new AppError('INK_NOT_FOUND', 'the invitation was used, was withdrawn or has expired')

/** @throws AppError `INK_NOT_FOUND` */
export async function openInvitation({ reads }: Store, token: string, nowMs: number): Promise<InvitationRow> {
  const row = await invitationStore(reads).find(hashToken(token), nowMs)
  if (!row) throw ENDED()
  return row
}

/**
 * Uses an invitation up: adds its user, or replaces the password of a known one and ends their sessions.
 * @throws AppError `INK_NOT_FOUND` without it, `INK_INVALID_FIELD` for a password that must not be used
 */
export async function acceptInvitation(
  store: Store,
  { token, password }: { token: string; password: string },
  nowMs: number,
): Promise<void> {
  const { id, email, user_id, role, invited_by } = await openInvitation(store, token, nowMs)
  const fault = passwordFault(password, email)
  if (fault !== undefined) throw new AppError('INK_INVALID_FIELD', `password: ${fault}`)
  const password_hash = await hashPassword(password)
  await store.writes.transaction().execute(async (transaction) => {
    // Of two at once, one finds it gone.
    if (!(await invitationStore(transaction).remove(id))) throw ENDED()
    const users = userStore(transaction)
    const audit = auditStore(transaction)
    if (user_id === null) {
      const added = await users.add({ email, password_hash, role, created_at: nowMs })
      if (!added) throw new AppError('INK_USER_EXISTS')
      await audit.add(
        { actor: email, action: 'user.add', target: email, detail: { role, invited_by } },
        nowMs,
      )
      return
    }
    if (!(await users.change(user_id, { password_hash }))) throw ENDED()
    await sessionStore(transaction).removeOfUser(user_id)
    await loginStepStore(transaction).removeOfUser(user_id)
    await audit.add({ actor: email, action: 'password.change', target: email, detail: { invited_by } }, nowMs)
  })
}
