import { listFindings } from '../../store/findings/findings.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentFinding } from './present-finding.ts'
import { readFindingFilters } from './read-finding-filters.ts'

export const listPatterns: Handler<'listPatterns'> = async ({ params, query }, { store }) => {
  const { id } = await findDomain(store, params.domain)
  const [lastAt, findingId] = readCursor(query.cursor, 2) ?? []
  const after = lastAt === undefined || findingId === undefined ? undefined : ([lastAt, findingId] as const)
  const findings = await listFindings(store.reads, id, readFindingFilters(query), after, query.limit)
  const last = findings.length === query.limit ? findings.at(-1) : undefined
  return { data: findings.map(presentFinding), next: last ? writeCursor([last.last_at, last.id]) : null }
}
