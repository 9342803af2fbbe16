import { type Child, element } from '../element.ts'
import type { ComparedVisit } from '../visits-in-tab.ts'
import { NIL } from './identifiers.ts'

interface VisitsShown {
  visits: readonly ComparedVisit[]
  /** The visit the page is about. */
  requestId: string
}

const COLUMNS = [
  ['request_id', 'Request'],
  ['session_id', 'Session'],
  ['cookie_id', 'Cookie'],
  ['device_id', 'Device'],
  ['visitor_id', 'Visitor'],
  ['user_hid', 'Account'],
] as const

/** The last visits under each other, so that the eye finds what stayed and what changed. */
export function visitsView({ visits, requestId }: VisitsShown): Child {
  return [
    element(
      'div',
      {
        class: 'scroll',
        tabindex: 0,
        role: 'region',
        'aria-label': 'Recent visits',
        'data-keep': 'visits',
      },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ['Time', 'Where', 'Score'].map((title) => element('th', { scope: 'col' }, title)),
            COLUMNS.map(([, title]) => element('th', { scope: 'col' }, title)),
          ),
        ),
        element(
          'tbody',
          {},
          visits.map((visit, index) => visitRow(visit, visits[index + 1], visit.request_id === requestId)),
        ),
      ),
    ),
    visits.length > 1 &&
      element('p', { class: 'quiet legend' }, 'Underlined values differ from the visit before.'),
  ]
}

function visitRow(visit: ComparedVisit, before: ComparedVisit | undefined, current: boolean): HTMLElement {
  return element(
    'tr',
    { 'aria-current': current ? 'true' : undefined },
    element('td', {}, visit.created_at.slice(11, 19)),
    element('td', { class: 'where' }, visit.elsewhere ? 'elsewhere' : 'this tab'),
    element('td', {}, visit.score),
    COLUMNS.map(([field]) => {
      const value = visit[field]
      const changed = before !== undefined && before[field] !== value
      return element(
        'td',
        { title: value },
        element('span', { class: changed ? 'changed' : undefined }, short(field, value)),
        changed && element('span', { class: 'unseen' }, ' (changed)'),
      )
    }),
  )
}

function short(field: (typeof COLUMNS)[number][0], value: string): string {
  if (value === NIL) return 'none'
  return field === 'user_hid' ? value : value.slice(0, 8)
}
