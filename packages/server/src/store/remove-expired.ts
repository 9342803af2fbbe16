import { assistantClientStore } from './assistants/clients.ts'
import { assistantGrantStore } from './assistants/grants.ts'
import { proposalStore } from './assistants/proposals.ts'
import { backTestStore } from './back-tests.ts'
import type { Store } from './store.ts'
import { invitationStore } from './users/login-steps.ts'

/**
 * Removes invitations, and registrations, grants and proposals of assistants whose time is over; they count no more
 * already. Old results of back-tests go, too.
 */
export async function removeExpired({ writes }: Pick<Store, 'writes'>, nowMs: number): Promise<void> {
  await assistantClientStore(writes).removeExpired(nowMs)
  await assistantGrantStore(writes).removeExpired(nowMs)
  await proposalStore(writes).removeExpired(nowMs)
  await invitationStore(writes).removeExpired(nowMs)
  await backTestStore(writes).removeOld(nowMs)
}
