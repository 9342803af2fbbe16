import { endpointStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findEndpoint, NO_ENDPOINT } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentEndpoint } from './present-endpoint.ts'

export const changeEndpoint: Handler<'changeEndpoint'> = async ({ params, body, caller }, deps) => {
  const { domain, endpoint } = await findEndpoint(deps.store, params)
  const { enabled = endpoint.enabled === 1, pattern_events = endpoint.pattern_events === 1 } = body
  const detail = { endpoint: endpoint.id, enabled, pattern_events }
  const entry = { actor: caller.email, action: 'endpoint.change', target: domain.name, detail }
  const changed = await change(deps, entry, (transaction) =>
    endpointStore(transaction).change(domain.id, endpoint.id, {
      enabled: enabled ? 1 : 0,
      pattern_events: pattern_events ? 1 : 0,
    }),
  )
  if (!changed) throw NO_ENDPOINT()
  return presentEndpoint(changed, deps.secrets)
}
