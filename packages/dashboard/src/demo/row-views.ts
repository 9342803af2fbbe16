import { type HistoryRow, NIL_UUID, NO_IPV4 } from '@inkling/contract'
import { copyButton, jsonBlock } from './code-block.ts'
import { type Child, element } from './element.ts'

const IDENTIFIERS = [
  ['request_id', 'Request', 'This identification. It links the page, the webhook and the row.'],
  ['session_id', 'Session', 'This visit, shared by the open tabs of the site.'],
  ['cookie_id', 'Cookie', 'This browser profile, until its storage is cleared.'],
  ['device_id', 'Device', 'This browser on this machine, including private windows.'],
  ['visitor_id', 'Visitor', 'This visitor. It follows the device, even with a new cookie.'],
  ['user_hid', 'Account', 'The pseudonym your page passed to the agent.'],
] as const satisfies readonly (readonly [keyof HistoryRow, string, string])[]

export function identifiersView(row: HistoryRow): Child {
  return element(
    'dl',
    { class: 'identifiers' },
    IDENTIFIERS.map(([field, name, meaning]) =>
      element(
        'div',
        {},
        element('dt', {}, name, element('span', {}, meaning)),
        element('dd', {}, valueView(name, row[field])),
      ),
    ),
  )
}

function valueView(name: string, value: string): Child {
  if (value === NIL_UUID) return element('span', { class: 'quiet' }, 'none: not enough usable data')
  if (value === '') return element('span', { class: 'quiet' }, 'empty')
  return [element('code', {}, value), copyButton(`${name.toLowerCase()} identifier`, value)]
}

/** Facts about the visit, with the reason where one is unknown. */
export function learnedView(row: HistoryRow): Child {
  const facts: [string, string, string][] = [
    ['Browser', known(row.browser), 'not recognised'],
    ['Operating system', known(row.os), 'not recognised'],
    ['Device', known(row.device_type), 'not recognised'],
    ['Country', row.country, 'address not in the database'],
    ['Connection', known(row.connection_type).replaceAll('_', ' '), 'not enough data'],
    ['IP address', row.ip === NO_IPV4 ? '' : row.ip, 'no IPv4 address'],
    ['Traffic source', trafficText(row), 'none'],
    ['Time', `${row.created_at} UTC`, ''],
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

export function historyRowView(row: HistoryRow): Child {
  const keys = Object.keys(row).length
  return element(
    'details',
    { 'data-keep': 'row' },
    element('summary', {}, element('span', { class: 'count' }, keys), ' fields as JSON'),
    jsonBlock('JSON', JSON.stringify(row, null, 2)),
  )
}
