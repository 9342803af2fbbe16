import { Readable } from 'node:stream'
import { PatternFinding } from '@inkling/contract/account'
import { type FindingPosition, type FindingRow, listFindings } from '../../store/findings/findings.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { csvLine } from '../identifications/csv.ts'
import { jsonArray } from '../identifications/json-array.ts'
import { presentFinding } from './present-finding.ts'
import { readFindingFilters } from './read-finding-filters.ts'

const COLUMNS = Object.keys(PatternFinding.shape) as (keyof PatternFinding)[]
/** Findings in memory at a time. */
const STRETCH = 500

export const exportPatterns: Handler<'exportPatterns'> = async ({ params, query }, { store }) => {
  const { id, name } = await findDomain(store, params.domain)
  const criteria = readFindingFilters(query)

  async function* findings(): AsyncGenerator<PatternFinding> {
    let after: FindingPosition | undefined
    do {
      const rows: FindingRow[] = await listFindings(store.reads, id, criteria, after, STRETCH)
      for (const row of rows) yield presentFinding(row)
      const last = rows.length === STRETCH ? rows.at(-1) : undefined
      after = last && [last.last_at, last.id]
    } while (after)
  }
  const file = `${name}-patterns`
  return query.format === 'csv'
    ? { type: 'text/csv; charset=utf-8', name: `${file}.csv`, content: Readable.from(csv(findings())) }
    : { type: 'application/json', name: `${file}.json`, content: Readable.from(jsonArray(findings())) }
}

async function* csv(findings: AsyncIterable<PatternFinding>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const finding of findings) yield csvLine(COLUMNS.map((column) => finding[column] ?? undefined))
}
