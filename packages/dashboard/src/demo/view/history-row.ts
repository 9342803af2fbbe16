import type { HistoryRow } from '@inkling/contract'
import { jsonBlock } from '../code-block.ts'
import { type Child, element } from '../element.ts'

export function historyRowView(row: HistoryRow): Child {
  const keys = Object.keys(row).length
  return element(
    'details',
    { 'data-keep': 'row' },
    element('summary', {}, element('span', { class: 'count' }, keys), ' fields as JSON'),
    jsonBlock('JSON', JSON.stringify(row, null, 2)),
  )
}
