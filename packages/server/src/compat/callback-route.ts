import type { CallbackAnswer } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import { newSigningSecret } from '../auth/keys.ts'
import { storeEndpoint, webhookUrl } from '../deliver/webhook-endpoints.ts'
import { AppError } from '../lib/errors.ts'
import { withoutSecrets } from '../lib/without-secrets.ts'
import { authenticateSecret } from '../management/authenticate-secret.ts'
import type { ManagementDeps, MountRoute } from '../management/mount-route.ts'
import { endpointStore } from '../store/domains/domains.ts'
import { auditStore } from '../store/users/users.ts'
import { sendManagementJson } from './answers.ts'
import { pathCredentials } from './older-management-routes.ts'

const URL_LENGTH_MAX = 2_048

/**
 * POST /{domain}:{secret}/callback, with the URL as body (§4.7, S10.13). The answer has no signing secret;
 * `inkling webhook rotate` shows a new one.
 */
export function callbackRoute(mount: MountRoute, deps: ManagementDeps): void {
  mount({
    method: 'POST',
    url: '/:credentials/callback',
    match: pathCredentials,
    async answer(credentials, request, reply) {
      const domain = authenticateSecret(credentials, deps.directory)
      const text = typeof request.body === 'string' ? request.body.trim() : ''
      if (text.length > URL_LENGTH_MAX)
        throw new AppError('INK_INVALID_WEBHOOK_URL', 'the webhook URL is too long')

      const url = webhookUrl(text, deps.allowPrivateWebhooks)
      await setCallback(deps, domain, url)
      await deps.directory.refresh()
      return sendManagementJson(reply, 200, { callback: url } satisfies CallbackAnswer)
    },
  })
}

/**
 * Points the domain's callback endpoint at a URL and enables it. Another URL keeps the endpoint and its signing
 * secret, so that a receiver that moved can still check signatures; its verification starts again.
 * @throws AppError `INK_TOO_MANY_ENTRIES` for a domain without callback that has as many endpoints as it may
 */
async function setCallback(
  { store, secrets, now }: ManagementDeps,
  domain: Pick<Domain, 'id' | 'name'>,
  url: string,
): Promise<void> {
  const by = { actor: 'Secret Key', target: domain.name }
  await store.writes.transaction().execute(async (transaction) => {
    const endpoints = endpointStore(transaction)
    const callback = (await endpoints.list(domain.id)).find(({ is_callback }) => is_callback === 1)
    if (callback) {
      const state = callback.url === url ? callback.state : 'unverified'
      await endpoints.change(domain.id, callback.id, { url, state, enabled: 1 })
      const detail = { endpoint: callback.id, url: withoutSecrets(url) }
      await auditStore(transaction).add({ ...by, action: 'endpoint.change', detail }, now())
      return
    }
    await storeEndpoint(transaction, {
      domain_id: domain.id,
      url,
      sealed_secret: secrets.seal(newSigningSecret()),
      state: 'unverified',
      enabled: 1,
      is_callback: 1,
      pattern_events: 0,
      created_at: now(),
    })
    const detail = { url: withoutSecrets(url) }
    await auditStore(transaction).add({ ...by, action: 'endpoint.add', detail }, now())
  })
}
