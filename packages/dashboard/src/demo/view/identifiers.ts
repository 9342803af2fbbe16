import type { HistoryRow } from '@inkling/contract'
import { copyButton } from '../copy-button.ts'
import { type Child, element } from '../element.ts'

export const NIL = '00000000-0000-0000-0000-000000000000'

const IDENTIFIERS = [
  ['request_id', 'Request', 'This one identification. It joins page, webhook and row.'],
  ['session_id', 'Session', 'This visit, shared by the open tabs of the site.'],
  ['cookie_id', 'Cookie', 'This browser profile, until its storage is cleared.'],
  ['device_id', 'Device', 'This browser on this machine, private windows too.'],
  ['visitor_id', 'Visitor', 'Sticks to the device when the cookie is new.'],
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
  if (value === NIL) return element('span', { class: 'quiet' }, 'none: nothing usable to rest it on')
  if (value === '') return element('span', { class: 'quiet' }, 'empty')
  return [element('code', {}, value), copyButton(`${name.toLowerCase()} identifier`, value)]
}
