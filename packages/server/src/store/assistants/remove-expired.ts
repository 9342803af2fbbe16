import type { Store } from '../store.ts'
import { assistantClientStore } from './clients.ts'
import { assistantGrantStore } from './grants.ts'
import { proposalStore } from './proposals.ts'

/** Removes registrations, grants and proposals whose time is over; they count no more already. */
export async function removeExpiredAssistants(
  { writes }: Pick<Store, 'writes'>,
  nowMs: number,
): Promise<void> {
  await assistantClientStore(writes).removeExpired(nowMs)
  await assistantGrantStore(writes).removeExpired(nowMs)
  await proposalStore(writes).removeExpired(nowMs)
}
