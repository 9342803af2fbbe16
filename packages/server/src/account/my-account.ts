import { presentTime } from '@inkling/contract'
import type { MY_ACCOUNT_OPERATIONS, OwnSession, Passkey } from '@inkling/contract/account'
import { newTotpSecret, totpStep, totpUri } from '../auth/authenticator-app.ts'
import { beginStep, endStep, readStep } from '../auth/login-steps.ts'
import { newCredential, passkeyChallenge, passkeyCreation, passkeySite } from '../auth/passkeys.ts'
import { passwordFault } from '../auth/password-rules.ts'
import { addRecoveryCodes, dropIdleRecoveryCodes, replaceRecoveryCodes } from '../auth/second-factors.ts'
import { hashPassword, sameUser } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import type { Store } from '../store/store.ts'
import { invitationStore, loginStepStore } from '../store/users/login-steps.ts'
import { type PasskeyRow, passkeyStore, recoveryCodeStore } from '../store/users/second-factors.ts'
import { auditStore, type SessionRow, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { recordChange } from './audit.ts'
import { guardedAttempt } from './guarded-attempt.ts'
import type { AccountCaller, Handlers } from './handler.ts'
import { passkeyUse, userWithPassword } from './sign-in.ts'

/** What users change of their own sign-in. */
export const myAccountOperations: Handlers<typeof MY_ACCOUNT_OPERATIONS> = {
  getSecurity: async ({ caller }, { store, now }) => {
    const { reads } = store
    const user = await ownRow(store, caller)
    return {
      has_password: user.password_hash !== '',
      authenticator_app: user.totp_secret !== null,
      recovery_codes_left: await recoveryCodeStore(reads).count(user.id),
      passkeys: (await passkeyStore(reads).list(user.id)).map(presentPasskey),
      sessions: (await sessionStore(reads).listOfUser(user.id, now())).map((row) =>
        presentOwnSession(row, caller),
      ),
    }
  },

  changeOwnPassword: async ({ body, caller, http }, deps) => {
    const { store, now } = deps
    const fault = passwordFault(body.new_password, caller.email)
    if (fault !== undefined) throw new AppError('INK_INVALID_FIELD', `new_password: ${fault}`)
    const guess = { method: 'proof', email: caller.email } as const
    const user = await guardedAttempt(http.request, guess, deps, () =>
      userWithPassword(store, caller.email, body.old_password),
    )
    if (!user) throw new AppError('INK_WRONG_PROOF', 'the password is wrong')
    const password_hash = await hashPassword(body.new_password)
    await store.writes.transaction().execute(async (transaction) => {
      // Of two changes at once the second knows an old password, and its session has ended.
      await sameUser(transaction, user)
      await userStore(transaction).change(user.id, { password_hash })
      await sessionStore(transaction).removeOfUser(user.id, caller.sessionId)
      await sessionStore(transaction).prove(caller.sessionId, now())
      // What began with the old password must not go on.
      await loginStepStore(transaction).removeOfUser(user.id)
      await invitationStore(transaction).removeFor(user.email)
      await auditStore(transaction).add(ownEntry(caller, 'password.change'), now())
    })
  },

  endOwnSession: async ({ params, caller }, deps) => {
    const ended = await recordChange(deps, ownEntry(caller, 'session.end'), async (transaction) =>
      (await sessionStore(transaction).removeOwn(params.session_id, caller.id)) ? true : undefined,
    )
    if (!ended) throw new AppError('INK_NOT_FOUND', 'no such session')
  },

  startPasskeyProof: async ({ caller }, { store, baseUrl, now }) => {
    const passkeys = await passkeyStore(store.reads).list(caller.id)
    if (passkeys.length === 0) throw new AppError('INK_NOT_FOUND', 'you have no passkey')
    const options = await passkeyChallenge(passkeySite(baseUrl), passkeys, 'preferred')
    const step = { kind: 'passkey proof', userId: caller.id, data: { challenge: options.challenge } } as const
    return { login_token: await beginStep(store, step, now()), options: { ...options } }
  },

  proveIdentity: async ({ body, caller, http }, deps) => {
    const { store, now } = deps
    const { password, login_token: token, passkey } = body
    const guess = { method: 'proof', email: caller.email } as const
    const proven = await guardedAttempt(http.request, guess, deps, async () => {
      if (password !== undefined) {
        const user = await userWithPassword(store, caller.email, password)
        return (
          user &&
          (() =>
            store.writes.transaction().execute(async (transaction) => {
              await sameUser(transaction, user)
              await sessionStore(transaction).prove(caller.sessionId, now())
            }))
        )
      }
      const step = await readStep(store, token ?? '', 'passkey proof', now())
      if (step?.userId !== caller.id || !passkey) return undefined
      const shown = { passkey, challenge: String(step.data.challenge), verified: false }
      const used = await passkeyUse(shown, deps)
      if (used?.passkey.user_id !== caller.id) return undefined
      return () =>
        store.writes.transaction().execute(async (transaction) => {
          await endStep(transaction, step)
          if (!(await used.use(transaction))) throw new AppError('INK_WRONG_PROOF')
          await sessionStore(transaction).prove(caller.sessionId, now())
        })
    })
    if (!proven) throw new AppError('INK_WRONG_PROOF')
    await proven()
  },

  startAuthenticator: async ({ caller }, { store, secrets }) => {
    const user = await ownRow(store, caller)
    if (user.totp_secret !== null)
      throw new AppError('INK_SECOND_FACTOR', 'an authenticator app is in use already')
    const secret = newTotpSecret()
    await userStore(store.writes).change(user.id, { totp_pending: secrets.seal(secret) })
    return { secret, uri: totpUri(secret, user.email) }
  },

  confirmAuthenticator: async ({ body, caller }, deps) => {
    const { store, secrets, now } = deps
    const { totp_pending: pending } = await ownRow(store, caller)
    const step = pending === null ? undefined : totpStep(secrets.open(pending), body.code, now())
    if (step === undefined) throw new AppError('INK_INVALID_FIELD', 'the code is wrong')
    const entry = ownEntry(caller, 'second_factor.add', { kind: 'authenticator app' })
    const codes = await recordChange(deps, entry, async (transaction) => {
      // The code that was just shown must not sign anybody in.
      const change = { totp_secret: pending, totp_pending: null, totp_step: step }
      await userStore(transaction).change(caller.id, change)
      return addRecoveryCodes(transaction, caller.id)
    })
    return { recovery_codes: codes ?? [] }
  },

  removeAuthenticator: async ({ caller }, deps) => {
    const { totp_secret: secret } = await ownRow(deps.store, caller)
    if (secret === null) throw new AppError('INK_NOT_FOUND', 'no authenticator app is in use')
    const entry = ownEntry(caller, 'second_factor.remove', { kind: 'authenticator app' })
    await recordChange(deps, entry, async (transaction) => {
      await userStore(transaction).change(caller.id, { totp_secret: null, totp_pending: null })
      await dropIdleRecoveryCodes(transaction, caller.id)
      return true
    })
  },

  renewRecoveryCodes: async ({ caller }, deps) => {
    const { reads } = deps.store
    const user = await ownRow(deps.store, caller)
    if (user.totp_secret === null && (await passkeyStore(reads).list(user.id)).length === 0)
      throw new AppError('INK_SECOND_FACTOR', 'recovery codes belong to a second factor, and there is none')
    const codes = await recordChange(deps, ownEntry(caller, 'recovery_codes.renew'), (transaction) =>
      replaceRecoveryCodes(transaction, user.id),
    )
    return { recovery_codes: codes ?? [] }
  },

  startPasskey: async ({ caller }, { store, baseUrl, now }) => {
    const present = await passkeyStore(store.reads).list(caller.id)
    const options = await passkeyCreation(passkeySite(baseUrl), caller, present)
    const step = { kind: 'passkey added', userId: caller.id, data: { challenge: options.challenge } } as const
    return { login_token: await beginStep(store, step, now()), options: { ...options } }
  },

  addPasskey: async ({ body, caller }, deps) => {
    const { store, baseUrl, now } = deps
    const step = await readStep(store, body.login_token, 'passkey added', now())
    if (step?.userId !== caller.id) throw new AppError('INK_STEP_ENDED')
    const made = await newCredential(passkeySite(baseUrl), body.passkey, String(step.data.challenge))
    if (!made) throw new AppError('INK_INVALID_FIELD', 'passkey: it was not made for this site')
    const entry = ownEntry(caller, 'second_factor.add', { kind: 'passkey', name: body.name })
    const added = await recordChange(deps, entry, async (transaction) => {
      await endStep(transaction, step)
      const passkey = await passkeyStore(transaction).add({
        user_id: caller.id,
        credential_id: made.id,
        public_key: made.publicKey,
        counter: made.counter,
        transports: JSON.stringify(made.transports ?? []),
        name: body.name,
        created_at: now(),
      })
      if (!passkey) throw new AppError('INK_SECOND_FACTOR', 'the passkey is known already')
      return {
        passkey: presentPasskey(passkey),
        recovery_codes: await addRecoveryCodes(transaction, caller.id),
      }
    })
    if (!added) throw new Error('the passkey was not stored')
    return added
  },

  removePasskey: async ({ params, caller }, deps) => {
    const entry = ownEntry(caller, 'second_factor.remove', { kind: 'passkey' })
    const removed = await recordChange(deps, entry, async (transaction) => {
      const row = await passkeyStore(transaction).remove(params.passkey_id, caller.id)
      if (row) await dropIdleRecoveryCodes(transaction, caller.id)
      return row
    })
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such passkey')
  },
}

async function ownRow({ reads }: Store, { id }: AccountCaller): Promise<UserRow> {
  const user = await userStore(reads).find(id)
  // Removed since the request began.
  if (!user) throw new AppError('INK_INVALID_TOKEN')
  return user
}

const ownEntry = ({ email }: AccountCaller, action: string, detail: Record<string, string> = {}) => ({
  actor: email,
  action,
  target: email,
  detail,
})

const presentPasskey = ({ id, name, created_at, used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  created_at: presentTime(created_at),
  used_at: used_at === null ? null : presentTime(used_at),
})

const presentOwnSession = (row: SessionRow, { sessionId }: AccountCaller): OwnSession => ({
  id: row.id,
  current: row.id === sessionId,
  browser: row.browser,
  created_at: presentTime(row.created_at),
  used_at: presentTime(row.rotated_at ?? row.created_at),
})
