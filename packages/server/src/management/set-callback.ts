import { newSigningSecret } from '../auth/keys.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'

/**
 * Points the domain's one callback endpoint at a URL and enables it. A replaced URL keeps its endpoint and
 * signing secret, so that a receiver which moved goes on verifying; only its verification starts anew.
 */
export async function setCallback(
  store: Store,
  secrets: SecretBox,
  domainId: number,
  url: string,
  nowMs: number,
): Promise<void> {
  await store.writes.transaction().execute(async (transaction) => {
    const endpoints = endpointStore(transaction)
    const callback = (await endpoints.list(domainId)).find(({ is_callback }) => is_callback === 1)
    if (callback) {
      const state = callback.url === url ? callback.state : 'unverified'
      await endpoints.change(domainId, callback.id, { url, state, enabled: 1 })
      return
    }
    await endpoints.add({
      domain_id: domainId,
      url,
      sealed_secret: secrets.seal(newSigningSecret()),
      state: 'unverified',
      enabled: 1,
      is_callback: 1,
      pattern_events: 0,
      created_at: nowMs,
    })
  })
}
