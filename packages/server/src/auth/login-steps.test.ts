import { expect, test } from 'vitest'
import { temporaryDomain } from '../../test/temporary-surface.ts'
import { beginStep, readStep } from './login-steps.ts'
import { addUser } from './users.ts'

const NOW = Date.UTC(2026, 10, 28)
const STEPS_MAX = 10_000

test('strangers who begin sign-ins without end fill no table, and end none of who has shown a password', async () => {
  const { store } = await temporaryDomain()
  const given = { email: 'ada@shop.example', password: 'correct horse', role: 'owner' } as const
  const user = await addUser(store, given, { actor: 'command line', nowMs: NOW })
  if (!user) throw new Error('no user')
  const mine = await beginStep(store, { kind: 'second factor', userId: user.id, data: {} }, NOW)
  const rows = Array.from({ length: STEPS_MAX }, (_, index) => ({
    token_hash: new Uint8Array(Buffer.from(`stranger ${index}`)),
    kind: 'passkey login',
    user_id: null,
    data: '{}',
    expires_at: NOW + 1_000,
  }))
  for (let start = 0; start < rows.length; start += 1_000)
    await store.writes
      .insertInto('login_steps')
      .values(rows.slice(start, start + 1_000))
      .execute()
  const latest = await beginStep(store, { kind: 'passkey login', data: {} }, NOW)
  const { count } = await store.reads
    .selectFrom('login_steps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(STEPS_MAX + 1)
  expect(await readStep(store, mine, 'second factor', NOW)).toBeDefined()
  expect(await readStep(store, latest, 'passkey login', NOW)).toBeDefined()
})
