import type { FastifyReply } from 'fastify'
import { domainStore, endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { sendBadCredentials, sendManagementJson } from './management-answers.ts'
import { presentProfile } from './present-profile.ts'

/** The profile as it is now: the directory in memory knows no volume, which falls with each visit. */
export async function sendProfile(
  reply: FastifyReply,
  store: Store,
  domainId: number,
): Promise<FastifyReply> {
  const [row, endpoints] = await Promise.all([
    domainStore(store.reads).findById(domainId),
    endpointStore(store.reads).list(domainId),
  ])
  // Removed or switched off since the directory was read.
  if (!row || row.enabled === 0) return sendBadCredentials(reply)
  const callback = endpoints.find(({ is_callback }) => is_callback === 1)
  return sendManagementJson(reply, 200, presentProfile(row, callback?.url ?? ''))
}
