import { newEndpoint, webhookUrl } from '../../deliver/webhook-endpoints.ts'
import { endpointStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentEndpoint } from './present-endpoint.ts'

export const addEndpoint: Handler<'addEndpoint'> = async ({ params, body, caller }, deps) => {
  const { id, name } = await findDomain(deps.store, params.domain)
  const url = webhookUrl(body.url, deps.allowPrivateWebhooks)
  const { row, secret } = newEndpoint(deps.secrets, id, url, deps.now())
  const entry = { actor: caller.email, action: 'endpoint.add', target: name, detail: { url: auditable(url) } }
  const added = await change(deps, entry, (transaction) => endpointStore(transaction).add(row))
  if (!added) throw new Error('the endpoint was not stored')
  return { ...presentEndpoint(added, deps.secrets), secret }
}

/** Some receivers carry a secret in the query. */
const auditable = (url: string): string => `${new URL(url).origin}${new URL(url).pathname}`
