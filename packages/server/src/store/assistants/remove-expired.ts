import type { Store } from '../store.ts'
import { assistantClientStore } from './clients.ts'
import { assistantGrantStore } from './grants.ts'

/** Removes registrations and grants whose time is over; they count no more already. */
export async function removeExpiredAssistants(
  { writes }: Pick<Store, 'writes'>,
  nowMs: number,
): Promise<void> {
  await assistantClientStore(writes).removeExpired(nowMs)
  await assistantGrantStore(writes).removeExpired(nowMs)
}
