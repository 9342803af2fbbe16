import { expect, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { outboxStore } from './outbox.ts'

const NOW = Date.UTC(2026, 10, 21)

test('concurrent claims get different entries, each at most its limit', async () => {
  const { store, domainId } = await temporaryStore()
  const bytes = new Uint8Array(16)
  const entry = { domain_id: domainId, endpoint_id: 1, request_id: bytes, event_id: bytes, body: bytes }
  await store.writes
    .insertInto('outbox')
    .values(Array.from({ length: 40 }, (_, index) => ({ ...entry, attempts: 0, due_at: NOW - index })))
    .execute()

  const claims = await Promise.all(
    Array.from({ length: 6 }, () => outboxStore(store.writes).claim(NOW, NOW + 60_000, 5)),
  )
  const claimed = claims.flat().map(({ id }) => id)
  expect(claims.every((claim) => claim.length <= 5)).toBe(true)
  expect(new Set(claimed).size).toBe(claimed.length)
  const [rest, none] = [
    await outboxStore(store.writes).claim(NOW, NOW + 60_000, 50),
    await outboxStore(store.writes).claim(NOW, NOW + 60_000, 50),
  ]
  expect(rest).toHaveLength(40 - claimed.length)
  expect(none).toHaveLength(0)
})
