import type { HistoryPage, HistoryRow } from '@inkling/contract'
import type { JsonAnswer } from '../http/get-json.ts'
import { InklingError } from '../inkling-error.ts'

/** Readers are lenient: only what this package itself relies on is checked. */
export function readPage({ status, json }: JsonAnswer): HistoryPage {
  if (status === 404) throw new InklingError('not_found', 'no History API at this historyUrl', { status })
  if (!isPage(json)) throw new InklingError('unexpected_response', 'not a page of History rows', { status })
  return json
}

function isPage(json: unknown): json is HistoryPage {
  return (
    typeof json === 'object' &&
    json !== null &&
    'total' in json &&
    typeof json.total === 'number' &&
    'data' in json &&
    Array.isArray(json.data) &&
    json.data.every(isRow)
  )
}

function isRow(json: unknown): json is HistoryRow {
  return (
    typeof json === 'object' &&
    json !== null &&
    'request_id' in json &&
    typeof json.request_id === 'string' &&
    'score' in json &&
    typeof json.score === 'number'
  )
}
