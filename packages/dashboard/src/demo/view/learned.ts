import type { HistoryRow } from '@inkling/contract'
import { type Child, element } from '../element.ts'

/** Facts to read, with the reason where there is none. */
export function learnedView(row: HistoryRow): Child {
  const facts: [string, string, string][] = [
    ['Browser', known(row.browser), 'not recognised'],
    ['Operating system', known(row.os), 'not recognised'],
    ['Device', known(row.device_type), 'not recognised'],
    ['Country', row.country, 'address in no source'],
    ['Connection', known(row.connection_type).replaceAll('_', ' '), 'not enough data'],
    ['IP address', row.ip === '0.0.0.0' ? '' : row.ip, 'no IPv4 address'],
    ['Traffic source', trafficText(row), 'none'],
    ['Seen', `${row.created_at} UTC`, ''],
  ]
  return element(
    'dl',
    { class: 'learned' },
    facts.map(([name, value, otherwise]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        value ? element('dd', {}, value) : element('dd', { class: 'quiet' }, `Unknown: ${otherwise}`),
      ),
    ),
  )
}

const known = (value: string): string => (value.toLowerCase() === 'unknown' ? '' : value)

function trafficText(row: HistoryRow): string {
  const channel = row.traffic_channel ?? ''
  return row.referrer_domain ? `${channel} (${row.referrer_domain})` : channel
}
