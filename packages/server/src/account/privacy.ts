import { Readable } from 'node:stream'
import type { IdentificationDetail, PRIVACY_OPERATIONS } from '@inkling/contract/account'
import { identificationParts } from '../store/identifications/identifications.ts'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { erase } from '../store/identifications/remove-identifications.ts'
import { auditStore } from '../store/users/users.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'
import { everyMatch, jsonArray, presentDetail, readOrder } from './identifications.ts'

export const privacyOperations: Handlers<typeof PRIVACY_OPERATIONS> = {
  eraseIdentifier: async ({ params, body, caller }, { store, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    const rows = await erase(store, id, body, identifierLookup(body.type, body.value))
    // Without the value, which the audit log would otherwise keep.
    const detail = { type: body.type, rows }
    const entry = { actor: caller.email, action: 'privacy.erase', target: name, detail }
    await auditStore(store.writes).add(entry, now())
    return { rows }
  },

  exportIdentifier: async ({ params, query, caller }, deps) => {
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
  },
}
