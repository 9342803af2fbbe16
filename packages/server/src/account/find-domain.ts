import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore, type EndpointRow, endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'

/** @throws AppError when it is not registered */
export async function findDomain({ reads }: Store, name: string): Promise<DomainRow> {
  const domain = await domainStore(reads).find(name)
  if (!domain) throw new AppError('INK_NOT_FOUND', 'no such domain')
  return domain
}

export interface EndpointInPath {
  domain: string
  endpoint_id: number
}

/** @throws AppError when the domain has no such endpoint, or there is no such domain */
export async function findEndpoint(
  store: Store,
  { domain: name, endpoint_id }: EndpointInPath,
): Promise<{ domain: DomainRow; endpoint: EndpointRow }> {
  const domain = await findDomain(store, name)
  const endpoint = await endpointStore(store.reads).find(domain.id, endpoint_id)
  if (!endpoint) throw NO_ENDPOINT()
  return { domain, endpoint }
}

export const NO_ENDPOINT = (): AppError => new AppError('INK_NOT_FOUND', 'no such endpoint')
