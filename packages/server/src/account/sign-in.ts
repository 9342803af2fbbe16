import type { PasskeyAnswer, SessionAnswer, SIGN_IN_OPERATIONS } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { codeUse } from '../auth/code-use.ts'
import type { ProviderChecks } from '../auth/identity-provider.ts'
import { beginStep, endStep, readStep } from '../auth/login-steps.ts'
import { checkPasskey, passkeyChallenge, passkeySite } from '../auth/passkeys.ts'
import { providerUser } from '../auth/provider-user.ts'
import { hasSecondFactor } from '../auth/second-factors.ts'
import { type SessionStart, startSession } from '../auth/sessions.ts'
import type { SignInMethod } from '../auth/sign-in-record.ts'
import { NO_USER_HASH, sameUser, verifyPassword } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { type PasskeyRow, passkeyStore } from '../store/users/second-factors.ts'
import { type UserRow, userStore } from '../store/users/users.ts'
import { clearCookie, DEVICE_COOKIE, PROVIDER_COOKIE, readCookie, setCookie } from './cookies.ts'
import { countedAttempt, guardedAttempt } from './guarded-attempt.ts'
import type { AccountDeps, Call, Handlers } from './handler.ts'
import { presentSession } from './session.ts'

/** A device that was not used to sign in for half a year is unknown again. */
const DEVICE_SECONDS = 15_552_000
/** As long as the step that the cookie belongs to. */
const PROVIDER_SECONDS = 600
/** A login at the provider that is older proves nothing about now. */
const FRESH_MS = 300_000

export const signInOperations: Handlers<typeof SIGN_IN_OPERATIONS> = {
  getSignInMethods: (_call, { provider }) => Promise.resolve({ identity_provider: provider?.host ?? null }),

  login: async ({ body, http }, deps) => {
    const { store, now, baseUrl } = deps
    const { email } = body
    const user = await guardedAttempt(http.request, { method: 'password', email }, deps, () =>
      userWithPassword(store, email, body.password),
    )
    if (!user) throw new AppError('INK_WRONG_PASSWORD')
    if (!(await hasSecondFactor(store, user))) return open(user, 'password', http, deps)

    const passkeys = await passkeyStore(store.reads).list(user.id)
    const options =
      passkeys.length > 0 ? await passkeyChallenge(passkeySite(baseUrl), passkeys, 'preferred') : null
    const data = { challenge: options?.challenge ?? '' }
    const step = { kind: 'second factor', userId: user.id, data } as const
    return {
      login_token: await beginStep(store, step, now(), (transaction) => sameUser(transaction, user)),
      methods: options ? ['passkey', 'code'] : ['code'],
      passkey_options: options && { ...options },
    }
  },

  loginSecondFactor: async ({ body, http }, deps) => {
    const { store, secrets, now } = deps
    const step = await readStep(store, body.login_token, 'second factor', now())
    const user = step?.userId ? await userStore(store.reads).find(step.userId) : undefined
    if (!step || !user) throw new AppError('INK_STEP_ENDED')
    const { code, passkey } = body
    const guess = { method: 'second factor', email: user.email } as const
    const use = await guardedAttempt(http.request, guess, deps, async () => {
      if (code !== undefined) return codeUse(store, secrets, user, { code, nowMs: now() })
      const shown = passkey && { passkey, challenge: String(step.data.challenge), verified: false }
      const used = shown && (await passkeyUse(shown, deps))
      return used?.passkey.user_id === user.id ? used.use : undefined
    })
    if (!use) throw new AppError('INK_WRONG_FACTOR')
    return open(user, 'second factor', http, deps, {
      before: async (transaction) => {
        await endStep(transaction, step)
        if (!(await use(transaction))) throw new AppError('INK_WRONG_FACTOR')
      },
    })
  },

  startPasskeyLogin: async ({ http }, deps) => {
    const { store, baseUrl, now } = deps
    await countedAttempt(http.request, 'passkey', deps)
    const options = await passkeyChallenge(passkeySite(baseUrl), undefined, 'required')
    const data = { challenge: options.challenge }
    return {
      login_token: await beginStep(store, { kind: 'passkey login', data }, now()),
      options: { ...options },
    }
  },

  passkeyLogin: async ({ body, http }, deps) => {
    const { store, now, signIns } = deps
    const step = await readStep(store, body.login_token, 'passkey login', now())
    if (!step) throw new AppError('INK_STEP_ENDED')
    const { passkey } = body
    const used = await passkeyUse({ passkey, challenge: String(step.data.challenge), verified: true }, deps)
    const user = used && (await userStore(store.reads).find(used.passkey.user_id))
    if (!used || !user) {
      await endStep(store.writes, step)
      await signIns.failed('passkey')
      throw new AppError('INK_WRONG_FACTOR')
    }
    return open(user, 'passkey', http, deps, {
      before: async (transaction) => {
        await endStep(transaction, step)
        if (!(await used.use(transaction))) throw new AppError('INK_WRONG_FACTOR')
      },
    })
  },

  startProviderLogin: async ({ body, http }, deps) => {
    const { store, provider, baseUrl, now } = deps
    if (!provider) throw NO_PROVIDER()
    await countedAttempt(http.request, 'identity provider', deps)
    const { url, checks } = await provider.begin(body.fresh === true)
    const data = { ...checks, fresh: body.fresh === true }
    const value = await beginStep(store, { kind: 'provider', data }, now())
    setCookie(http.reply, baseUrl, PROVIDER_COOKIE, { value, seconds: PROVIDER_SECONDS })
    return { url }
  },

  finishProviderLogin: async ({ body, http }, deps) => {
    const { store, provider, baseUrl, now, signIns } = deps
    if (!provider) throw NO_PROVIDER()
    // In a browser that was not sent there, somebody else's answer must not sign anybody in.
    const token = readCookie(http.request, PROVIDER_COOKIE)
    const step = token === undefined ? undefined : await readStep(store, token, 'provider', now())
    if (!step) throw new AppError('INK_STEP_ENDED')
    clearCookie(http.reply, baseUrl, PROVIDER_COOKIE)
    // Before the provider is asked, so that a step, whose start was counted, costs it and us one attempt at most.
    await endStep(store.writes, step)
    try {
      const identity = await provider.finish(body.parameters, step.data as unknown as ProviderChecks)
      const user = await providerUser(store, identity, { settings: provider.settings, nowMs: now() })
      const { authenticatedAtMs } = identity
      return await open(user, 'identity provider', http, deps, {
        proven:
          authenticatedAtMs === undefined ? step.data.fresh === true : authenticatedAtMs > now() - FRESH_MS,
      })
    } catch (error) {
      await signIns.failed('identity provider')
      throw error
    }
  },
}

const NO_PROVIDER = (): AppError => new AppError('INK_NOT_FOUND', 'no identity provider is set')

/** Takes as long for an unknown e-mail address, so that the time does not tell which ones exist. */
export async function userWithPassword(
  store: Store,
  email: string,
  password: string,
): Promise<UserRow | undefined> {
  const user = await userStore(store.reads).findByEmail(email)
  const matches = await verifyPassword(password, user?.password_hash ?? NO_USER_HASH)
  return matches ? user : undefined
}

interface ShownPasskey {
  passkey: PasskeyAnswer
  challenge: string
  /** Whether the authenticator must have checked its user. */
  verified: boolean
}

interface PasskeyUse {
  passkey: PasskeyRow
  /** Notes the use, in the transaction of what it was for. False if the passkey was removed meanwhile. */
  use(transaction: Kysely<Schema>): Promise<boolean>
}

/** Undefined unless a known passkey signed the challenge. */
export async function passkeyUse(
  { passkey: answer, challenge, verified }: ShownPasskey,
  { store, baseUrl, now }: Pick<AccountDeps, 'store' | 'baseUrl' | 'now'>,
): Promise<PasskeyUse | undefined> {
  const passkey = await passkeyStore(store.reads).find(answer.id)
  if (!passkey || challenge === '') return undefined
  const counter = await checkPasskey(passkeySite(baseUrl), answer, passkey, { challenge, verified })
  if (counter === undefined) return undefined
  return {
    passkey,
    use: (transaction) => passkeyStore(transaction).used(passkey.id, counter, now()),
  }
}

/** Opens a session and remembers the device. */
async function open(
  user: UserRow,
  method: SignInMethod,
  { request, reply }: Call<(typeof SIGN_IN_OPERATIONS)['login']>['http'],
  deps: AccountDeps,
  start: Pick<SessionStart, 'before' | 'proven'> = {},
): Promise<SessionAnswer> {
  const browser = request.headers['user-agent'] ?? ''
  const session = await startSession(deps.store, user, deps.now(), { method, browser, ...start })
  const answer = await presentSession(session, reply, deps)
  const value = deps.knownDevices.issue(user.email)
  setCookie(reply, deps.baseUrl, DEVICE_COOKIE, { value, seconds: DEVICE_SECONDS })
  deps.signIns.succeeded(method)
  return answer
}
