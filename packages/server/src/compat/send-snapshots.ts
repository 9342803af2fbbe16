import type { FastifyReply } from 'fastify'
import type { Domain } from '../auth/directory.ts'
import { readPaging } from '../lib/paging.ts'
import { sendManagementJson } from '../management/management-answers.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import type { Store } from '../store/store.ts'
import { parseLegacySearch } from './parse-legacy-search.ts'
import { presentSnapshot } from './present-snapshot.ts'
import type { SearchPath } from './search-path.ts'

const LIMIT_DEFAULT = 100

/** The latest snapshots of one host as a bare array. There is no offset. */
export async function sendSnapshots(
  reply: FastifyReply,
  store: Store,
  domain: Domain,
  { type, value, query }: SearchPath,
): Promise<FastifyReply> {
  const search = parseLegacySearch(type, value)
  if (search.found === 'error') return sendManagementJson(reply, search.status, search.body)
  if (search.found === 'nothing') return sendManagementJson(reply, 200, [])

  const { limit } = readPaging(query, { limitDefault: LIMIT_DEFAULT })
  const rows = await identificationStore(store.reads).latestOfHost(
    domain.id,
    domain.name,
    search.lookup,
    limit,
  )
  return sendManagementJson(reply, 200, rows.map(presentSnapshot))
}
