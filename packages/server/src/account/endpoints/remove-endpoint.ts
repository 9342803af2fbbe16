import * as queries from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findEndpoint, NO_ENDPOINT } from '../find-domain.ts'
import type { Handler } from '../handler.ts'

export const removeEndpoint: Handler<'removeEndpoint'> = async ({ params, caller }, deps) => {
  const { domain, endpoint } = await findEndpoint(deps.store, params)
  const detail = { endpoint: endpoint.id }
  const entry = { actor: caller.email, action: 'endpoint.remove', target: domain.name, detail }
  const removed = await change(deps, entry, (transaction) =>
    queries.removeEndpoint(transaction, domain.id, endpoint.id),
  )
  if (!removed) throw NO_ENDPOINT()
}
