import { AppError } from '../../lib/errors.ts'
import { openFindings } from '../../store/findings/findings.ts'
import { entityRows } from '../../store/identifications/identifications.ts'
import { identifierLookup } from '../../store/identifications/lookup.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentFinding } from '../patterns/present-finding.ts'
import { linkGraph } from './link-graph.ts'
import { summariseEntity } from './summarise-entity.ts'

/** Enough for anybody but a shared address, and read in a moment. */
const ROWS_MAX = 5_000

export const getEntity: Handler<'getEntity'> = async ({ params, query }, { store }) => {
  const { id } = await findDomain(store, params.domain)
  const { type, value } = query
  const rows = await entityRows(store.reads, id, identifierLookup(type, value), ROWS_MAX + 1)
  const looked = rows.slice(0, ROWS_MAX)
  const summary = summariseEntity(looked)
  if (!summary) throw new AppError('INK_NOT_FOUND', 'no identification has it')
  const patterns = await openFindings(store.reads, {
    domainId: id,
    type: type === 'ip' ? 'local_ip' : type,
    value: type === 'user_hid' ? value : value.toLowerCase(),
  })
  const graph = linkGraph(looked, { type, value })
  return {
    type,
    value,
    complete: rows.length <= ROWS_MAX,
    ...summary,
    graph,
    patterns: patterns.map(presentFinding),
  }
}
