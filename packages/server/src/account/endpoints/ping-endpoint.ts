import { ping } from '../../deliver/ping.ts'
import { change } from '../change.ts'
import { findEndpoint } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentAttempt } from './present-endpoint.ts'

export const pingEndpoint: Handler<'pingEndpoint'> = async ({ params, caller }, deps) => {
  const { domain, endpoint } = await findEndpoint(deps.store, params)
  const { state, attempt } = await ping(deps.store, deps.secrets, endpoint, deps.sender)
  const detail = { endpoint: endpoint.id, state }
  const entry = { actor: caller.email, action: 'endpoint.ping', target: domain.name, detail }
  await change(deps, entry, () => Promise.resolve(state))
  return presentAttempt(endpoint.id, attempt)
}
