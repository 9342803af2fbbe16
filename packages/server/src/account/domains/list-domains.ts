import { domainStore } from '../../store/domains/domains.ts'
import type { Handler } from '../handler.ts'
import { presentDomain } from './present-domain.ts'

export const listDomains: Handler<'listDomains'> = async (_call, deps) => {
  const rows = await domainStore(deps.store.reads).list()
  return Promise.all(rows.map((row) => presentDomain(row, deps)))
}
