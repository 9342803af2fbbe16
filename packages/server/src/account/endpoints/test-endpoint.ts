import { sendTest } from '../../deliver/ping.ts'
import { findEndpoint } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentAttempt } from './present-endpoint.ts'

/** Changes nothing here; asked of an owner because it sends something to a server that may not be ours. */
export const testEndpoint: Handler<'testEndpoint'> = async ({ params }, { store, secrets, sender }) => {
  const { endpoint } = await findEndpoint(store, params)
  return presentAttempt(endpoint.id, await sendTest(secrets, endpoint, sender))
}
