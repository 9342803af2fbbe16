import { endpointStore } from '../../store/domains/domains.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentEndpoint } from './present-endpoint.ts'

export const listEndpoints: Handler<'listEndpoints'> = async ({ params }, { store, secrets }) => {
  const { id } = await findDomain(store, params.domain)
  return (await endpointStore(store.reads).list(id)).map((row) => presentEndpoint(row, secrets))
}
