import { Readable } from 'node:stream'
import type { IdentificationDetail, PRIVACY_OPERATIONS } from '@inkling/contract/account'
import { withAliases } from '../store/devices/device-aliases.ts'
import { previewErasure } from '../store/erasure/preview-erasure.ts'
import { eraseRecorded } from '../store/erasure/recorded-erasure.ts'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { auditStore } from '../store/users/users.ts'
import { findDomain } from './domains.ts'
import { type Handlers, inShareOf } from './handler.ts'
import { readOrder } from './identification-criteria.ts'
import { everyMatch, readDetail } from './identifications.ts'
import { jsonArray } from './streamed-rows.ts'

export const privacyOperations: Handlers<typeof PRIVACY_OPERATIONS> = {
  eraseIdentifier: async ({ params, body, caller }, { store, now }) => {
    const domain = await findDomain(store, params.domain)
    const { include, ...first } = body
    for (const { type, value } of [first, ...include]) identifierLookup(type, value)
    const by = { actor: caller.email, now }
    const rows = await eraseRecorded(store, domain, [first, ...include], by)
    return { rows }
  },

  previewErasure: async ({ params, body }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    return previewErasure(store.jobReads, id, [body, ...body.include])
  },

  exportIdentifier: async ({ params, query, caller }, deps) => {
    const { store, now } = deps
    const { id, name } = await findDomain(store, params.domain)
    const lookup = await withAliases(store.reads, id, identifierLookup(query.type, query.value))
    const criteria = { lookups: [lookup] }
    const detail = { type: query.type }
    const entry = { actor: caller.email, action: 'privacy.export', target: name, detail }
    // An answer that has begun cannot say any more that a part of it is missing.
    await store.cold?.probe()
    await auditStore(store.writes).add(entry, now())
    deps.exported('identifier')
    const inShare = inShareOf(caller, store)

    async function* details(): AsyncGenerator<IdentificationDetail> {
      const order = readOrder({ sort: 'newest' })
      for await (const rows of everyMatch(store.reads, inShare, id, criteria, order))
        for (const row of rows) yield inShare(() => readDetail(store, row, name, orFail))
    }
    return { type: 'application/json', name: `${name}.json`, content: Readable.from(jsonArray(details())) }
  },
}

/** For a person who asks for all of their data: rather no answer than one that leaves something out. */
const orFail = <Result>(reading: Promise<Result>): Promise<Result> => reading
