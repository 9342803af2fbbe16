import { type HistoryRow, NIL_UUID } from '@inkling/contract'
import { type Child, element } from './element.ts'

interface VisitsShown {
  visits: readonly ComparedVisit[]
  /** Visits of the device from other browsers or private windows, of which no more is shown. */
  elsewhere: number
  /** The visit the page is about. */
  requestId: string
}

const TABLE_COLUMNS = [
  ['request_id', 'Request'],
  ['session_id', 'Session'],
  ['cookie_id', 'Cookie'],
  ['device_id', 'Device'],
  ['visitor_id', 'Visitor'],
  ['user_hid', 'Account'],
] as const

/** The latest visits in a table that shows which identifiers changed. */
export function visitsView({ visits, elsewhere, requestId }: VisitsShown): Child {
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
            TABLE_COLUMNS.map(([, title]) => element('th', { scope: 'col' }, title)),
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
      element('p', { class: 'quiet legend' }, 'Underlined values differ from the previous visit.'),
    elsewhere > 0 &&
      element(
        'p',
        { class: 'quiet legend' },
        `The same device was also recognised in ${elsewhere} of its latest visits from another window.`,
      ),
  ]
}

function visitRow(visit: ComparedVisit, before: ComparedVisit | undefined, current: boolean): HTMLElement {
  return element(
    'tr',
    { 'aria-current': current ? 'true' : undefined },
    element('td', {}, visit.created_at.slice(11, 19)),
    element('td', { class: 'where' }, visit.elsewhere ? 'elsewhere' : 'this tab'),
    element('td', {}, visit.score),
    TABLE_COLUMNS.map(([field]) => {
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

function short(field: (typeof TABLE_COLUMNS)[number][0], value: string): string {
  if (value === NIL_UUID) return 'none'
  return field === 'user_hid' ? value : value.slice(0, 8)
}

/** The fields of an identification that the table shows. */
export type TabVisit = Pick<HistoryRow, (typeof FIELDS)[number]>

const KEY = 'inkling-demo-visits'
const KEPT = 6
const FIELDS = [
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'score',
  'created_at',
] as const

/** Adds a visit at the start; a refined row replaces its earlier version. */
export function withVisit(visits: readonly TabVisit[], row: HistoryRow): TabVisit[] {
  const { request_id, session_id, cookie_id, device_id, visitor_id, user_hid, score, created_at } = row
  const visit = { request_id, session_id, cookie_id, device_id, visitor_id, user_hid, score, created_at }
  const at = visits.findIndex((known) => known.request_id === request_id)
  if (at >= 0) return visits.map((known, index) => (index === at ? visit : known))
  return [visit, ...visits].slice(0, KEPT)
}

interface ComparedVisit extends TabVisit {
  elsewhere: boolean
}

const COMPARED = 8

/** Merges the visits of this tab with those of the same device elsewhere, newest first. */
export function comparedVisits(tab: readonly TabVisit[], device: readonly TabVisit[]): ComparedVisit[] {
  const here = new Set(tab.map(({ request_id }) => request_id))
  const elsewhere = device.filter(({ request_id }) => !here.has(request_id))
  return [
    ...tab.map((visit) => ({ ...visit, elsewhere: false })),
    ...elsewhere.map((visit) => ({ ...visit, elsewhere: true })),
  ]
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
    .slice(0, COMPARED)
}

/** Kept across reloads until the tab is closed; if storage is blocked, only until the page is left. */
export function loadVisits(): TabVisit[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isTabVisit) : []
  } catch {
    return []
  }
}

export function saveVisits(visits: readonly TabVisit[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(visits))
  } catch {
    // Storage is blocked: see loadVisits.
  }
}

/** An earlier version of this page may have stored fewer fields. */
const isTabVisit = (value: unknown): value is TabVisit =>
  typeof value === 'object' && value !== null && FIELDS.every((field) => field in value)
