import { expect, test } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import { DAY_MS } from '../lib/durations.ts'
import type { Store } from '../store/store.ts'
import { auditStore, sessionStore, userStore } from '../store/users/users.ts'
import { endSession, type OpenSession, refreshSession, startSession } from './sessions.ts'
import { addUser } from './users.ts'

const START = Date.UTC(2026, 10, 21)
const KEY = Buffer.alloc(32, 5)

const refresh = (store: Store, token: string, nowMs = START, key: Uint8Array = KEY) =>
  refreshSession(store, token, { key, nowMs })

async function login() {
  const { store } = await temporaryStore()
  const given = { email: 'ada@shop.example', password: 'correct horse', role: 'owner' } as const
  const user = await addUser(store, given, { actor: 'command line', nowMs: START })
  if (!user) throw new Error('no user')
  const session = await startSession(store, user, START)
  const isOpen = async ({ sessionId }: OpenSession, nowMs = START): Promise<boolean> =>
    (await sessionStore(store.reads).user(sessionId, user.id, nowMs)) !== undefined
  return { store, user, session, isOpen }
}

test('a refresh token works once and is replaced', async () => {
  const { store, session, isOpen } = await login()
  const next = await refresh(store, session.refreshToken.text)
  expect(next?.sessionId).toBe(session.sessionId)
  expect(next?.refreshToken.text).not.toBe(session.refreshToken.text)
  expect(await refresh(store, next?.refreshToken.text ?? '')).toBeDefined()
  expect(await isOpen(session)).toBe(true)
})

test('for a minute a replaced token answers its successor, so that two tabs and a lost answer end nothing', async () => {
  const { store, session, isOpen } = await login()
  const both = await Promise.all([1, 2].map(() => refresh(store, session.refreshToken.text)))
  const late = await refresh(store, session.refreshToken.text, START + 59_000)
  const [next] = both
  for (const answer of [...both, late]) expect(answer?.refreshToken.text).toBe(next?.refreshToken.text)
  expect(await refresh(store, next?.refreshToken.text ?? '', START + 120_000)).toBeDefined()
  expect(await isOpen(session)).toBe(true)
})

test('a token that is used after that ends the session of its successor and is in the audit log', async () => {
  const { store, session, isOpen } = await login()
  const next = await refresh(store, session.refreshToken.text)
  expect(await refresh(store, session.refreshToken.text, START + 60_000)).toBeUndefined()
  expect(await refresh(store, next?.refreshToken.text ?? '')).toBeUndefined()
  expect(await isOpen(session)).toBe(false)
  const [latest] = await auditStore(store.reads).list(undefined, 1)
  expect(latest).toMatchObject({ action: 'session.reused_token', target: 'ada@shop.example' })
})

test('the token before the replaced one ends the session at once, even within the minute', async () => {
  const { store, session } = await login()
  const next = await refresh(store, session.refreshToken.text)
  await refresh(store, next?.refreshToken.text ?? '')
  expect(await refresh(store, session.refreshToken.text)).toBeUndefined()
})

test('without the key nobody can tell the successor of a token', async () => {
  const { store, session } = await login()
  const next = await refresh(store, session.refreshToken.text)
  const { store: other } = await login()
  const [row] = await store.reads.selectFrom('sessions').selectAll().execute()
  if (!row) throw new Error('no session')
  await other.writes.deleteFrom('sessions').execute()
  await other.writes
    .insertInto('sessions')
    .values({ ...row, token_hash: row.previous_hash ?? row.token_hash })
    .execute()
  const guessed = await refresh(other, session.refreshToken.text, START, Buffer.alloc(32, 6))
  expect(guessed?.refreshToken.text).not.toBe(next?.refreshToken.text)
})

test('another session of the same user stays open', async () => {
  const { store, user, session, isOpen } = await login()
  const other = await startSession(store, user, START)
  expect(await endSession(store, session.refreshToken.text, START)).toBe(true)
  expect([await isOpen(session), await isOpen(other)]).toEqual([false, true])
})

test('a session ends a week after its last use and at most thirty days after its start', async () => {
  const { store, session } = await login()
  expect(await refresh(store, session.refreshToken.text, START + 7 * DAY_MS)).toBeUndefined()

  let token = session.refreshToken.text
  for (let day = 6; day < 30; day += 6) {
    const next = await refresh(store, token, START + day * DAY_MS)
    token = next?.refreshToken.text ?? ''
  }
  expect(token).not.toBe('')
  expect(await refresh(store, token, START + 30 * DAY_MS)).toBeUndefined()
})

test('a malformed token is replaced by nothing and ends nothing', async () => {
  const { store, session, isOpen } = await login()
  const [family] = session.refreshToken.text.split('.')
  for (const text of ['', 'a.b', `${family}.short`, family ?? '']) {
    expect(await refresh(store, text)).toBeUndefined()
    expect(await endSession(store, text, START)).toBe(false)
  }
  expect(await isOpen(session)).toBe(true)
})

test('a token of no session begins no transaction, so that strangers hold up no change', async () => {
  const { store, session } = await login()
  const readOnly: Store = {
    ...store,
    get writes(): Store['writes'] {
      throw new Error('a transaction began')
    },
  }
  const madeUp = `${'a'.repeat(22)}.${'b'.repeat(43)}`
  expect(await refresh(readOnly, madeUp)).toBeUndefined()
  expect(await endSession(readOnly, madeUp, START)).toBe(false)
  const { text } = session.refreshToken
  expect(await refresh(readOnly, text, START + 7 * DAY_MS)).toBeUndefined()
  await expect(refresh(readOnly, text)).rejects.toThrow('a transaction began')
})

test('tokens are stored as hashes only', async () => {
  const { store, session } = await login()
  const [row] = await store.reads.selectFrom('sessions').selectAll().execute()
  expect(JSON.stringify(row)).not.toContain(session.refreshToken.text.split('.')[1])
  expect(row?.token_hash).toHaveLength(32)
})

test('what was verified before a password, a link to the provider or a user changed opens no session', async () => {
  const { store, user } = await login()
  const users = userStore(store.writes)
  const start = () => startSession(store, user, START)
  await users.change(user.id, { password_hash: 'another' })
  await expect(start()).rejects.toMatchObject({ code: 'INK_STEP_ENDED' })
  await users.change(user.id, { password_hash: user.password_hash, provider_subject: 'somebody' })
  await expect(start()).rejects.toMatchObject({ code: 'INK_STEP_ENDED' })
  await users.change(user.id, { provider_subject: null })
  await start()
  await users.remove(user.id)
  await expect(start()).rejects.toMatchObject({ code: 'INK_STEP_ENDED' })
})
