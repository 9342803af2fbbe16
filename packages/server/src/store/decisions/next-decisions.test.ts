import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { nextDecisions } from './next-decisions.ts'

const NOW = Date.UTC(2026, 10, 20)

/** A store with decisions of these ages, and what a job reads of them. */
async function decided(...agesMs: number[]) {
  const { store, domainId } = await temporaryStore()
  for (const ageMs of agesMs)
    await store.writes
      .insertInto('decisions')
      .values({
        ...{ domain_id: domainId, request_id: randomBytes(16), purpose: 'signup', action: 'allow', ver: 1 },
        ...{ account: null, idempotency_key: null, asked: randomBytes(32), client_address: null },
        ...{ question: '{}', answer: '{}', decided_at: NOW - ageMs, stale: null, later: null },
      })
      .execute()
  const rows = await store.reads.selectFrom('decisions').select(['id', 'decided_at']).orderBy('id').execute()
  return { store, rows, ids: rows.map(({ id }) => id) }
}

test('decisions are read again until they and all before them are old', async () => {
  const { store, rows, ids } = await decided(90_000, 10_000, 60_000)
  const next = await nextDecisions(store, 0, NOW)
  expect(next?.after).toBe(0)
  next?.settle(rows.slice(0, 2))
  next?.settle(rows.slice(2))
  expect(next?.settled).toBe(ids[0])
})

test('a decision of a clock that was ahead holds up no later ones', async () => {
  const { store, rows, ids } = await decided(-86_400_000, 60_000, 10_000)
  const next = await nextDecisions(store, 0, NOW)
  next?.settle(rows)
  expect(next?.settled).toBe(ids[1])
})

test('none is passed while a worker has yet to end a commit', async () => {
  const { store, rows, ids } = await decided(90_000, 60_000)
  const unended = await nextDecisions({ ...store, areCommitsEnded: async () => false }, 0, NOW)
  unended?.settle(rows)
  expect(unended?.settled).toBe(0)
  const ended = await nextDecisions(store, 0, NOW)
  ended?.settle(rows)
  expect(ended?.settled).toBe(ids[1])
})

test('a job whose position is past the newest decision reads those that got its numbers', async () => {
  const { store, ids } = await decided(90_000)
  const newest = ids[0] ?? 0
  const next = await nextDecisions(store, newest + 5, NOW)
  // PostgreSQL gives no number twice.
  expect(next?.after).toBe(store.engine === 'sqlite' ? 0 : undefined)
})
