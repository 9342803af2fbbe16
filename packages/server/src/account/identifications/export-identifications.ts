import { Readable } from 'node:stream'
import { HistoryRow } from '@inkling/contract'
import { presentRow } from '../../history/present-row.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { csvLine } from './csv.ts'
import { everyMatch } from './every-match.ts'
import { jsonArray } from './json-array.ts'
import { readCriteria, readOrder } from './read-filters.ts'

const COLUMNS = Object.keys(HistoryRow.shape) as (keyof HistoryRow)[]

export const exportIdentifications: Handler<'exportIdentifications'> = async (
  { params, query },
  { store },
) => {
  const { id, name } = await findDomain(store, params.domain)
  const stretches = everyMatch(store.reads, id, readCriteria(query), readOrder(query))

  async function* rows(): AsyncGenerator<HistoryRow> {
    for await (const stretch of stretches) for (const row of stretch) yield presentRow(row, name)
  }
  return query.format === 'csv'
    ? { type: 'text/csv; charset=utf-8', name: `${name}.csv`, content: Readable.from(csv(rows())) }
    : { type: 'application/json', name: `${name}.json`, content: Readable.from(jsonArray(rows())) }
}

async function* csv(rows: AsyncIterable<HistoryRow>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const row of rows) yield csvLine(COLUMNS.map((column) => row[column]))
}
