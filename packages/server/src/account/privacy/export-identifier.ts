import { Readable } from 'node:stream'
import type { IdentificationDetail } from '@inkling/contract/account'
import { identificationParts } from '../../store/identifications/identifications.ts'
import { identifierLookup } from '../../store/identifications/lookup.ts'
import { auditStore } from '../../store/users/audit.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { everyMatch } from '../identifications/every-match.ts'
import { jsonArray } from '../identifications/json-array.ts'
import { presentDetail } from '../identifications/present-detail.ts'
import { readOrder } from '../identifications/read-filters.ts'

export const exportIdentifier: Handler<'exportIdentifier'> = async ({ params, query, caller }, deps) => {
  const { store, now } = deps
  const { id, name } = await findDomain(store, params.domain)
  const criteria = { lookups: [identifierLookup(query.type, query.value)], equal: {} }
  const detail = { type: query.type }
  const entry = { actor: caller.email, action: 'privacy.export', target: name, detail }
  await auditStore(store.writes).add(entry, now())

  async function* details(): AsyncGenerator<IdentificationDetail> {
    for await (const rows of everyMatch(store.reads, id, criteria, readOrder({ sort: 'newest' })))
      for (const row of rows) yield presentDetail(row, name, await identificationParts(store.reads, row))
  }
  return { type: 'application/json', name: `${name}.json`, content: Readable.from(jsonArray(details())) }
}
