import { type OutboxRow, outboxStore } from '../src/store/outbox/outbox.ts'
import type { Store } from '../src/store/store.ts'

/** Claims due events of all endpoints, as a sweep does. */
export async function claimEvents(
  { reads, claims }: Pick<Store, 'reads' | 'claims'>,
  nowMs: number,
  heldUntil: number,
  limit = 500,
): Promise<OutboxRow[]> {
  const endpointIds = await outboxStore(reads).dueEndpoints(nowMs)
  return outboxStore(claims).claim(nowMs, heldUntil, limit, endpointIds)
}
