import { expect, test } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import { auditStore } from '../store/users/users.ts'
import { createSignInRecord } from './sign-in-record.ts'
import { addUser } from './users.ts'

const NOW = Date.UTC(2026, 10, 28)

async function records() {
  const { store } = await temporaryStore()
  for (const email of ['ada@shop.example', 'eve@shop.example'])
    await addUser(
      store,
      { email, password: 'correct horse', role: 'owner' },
      { actor: 'command line', nowMs: NOW },
    )
  const warn = (message: string, error: unknown) => {
    throw new Error(message, { cause: error })
  }
  const record = createSignInRecord({ store, count: () => undefined, now: () => NOW, warn })
  /** Kept entries by their action and target. */
  const kept = async () => {
    const counts: Record<string, number> = {}
    for (const { action, target } of await auditStore(store.reads).list(undefined, 1_000))
      if (action !== 'user.add') counts[`${action} ${target}`] = (counts[`${action} ${target}`] ?? 0) + 1
    return counts
  }
  return { record, kept }
}

test('a flood of guesses at others hides neither the guesses at an owner nor the lock', async () => {
  const { record, kept } = await records()
  for (let guess = 0; guess < 150; guess += 1) {
    await record.failed('password', `nobody${guess}@shop.example`)
    await record.locked('password', `nobody${guess}@shop.example`)
    await record.failed('passkey')
    await record.failed('password', 'eve@shop.example')
  }
  for (let guess = 0; guess < 30; guess += 1) await record.failed('password', 'ada@shop.example')
  await record.locked('password', 'ada@shop.example')
  const {
    'session.failed unknown address': failed,
    'session.locked unknown address': locked,
    ...known
  } = await kept()
  expect(known).toEqual({
    'session.failed eve@shop.example': 60,
    'session.failed ada@shop.example': 30,
    'session.locked ada@shop.example': 1,
  })
  expect((failed ?? 0) + (locked ?? 0)).toBe(20)
})
