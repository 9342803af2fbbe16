import type { HistoryRow } from '@inkling/contract'

/** What the comparison table needs of an identification. */
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

/** The visits with this one first; a refined row takes the place of its earlier version. */
export function withVisit(visits: readonly TabVisit[], row: HistoryRow): TabVisit[] {
  const { request_id, session_id, cookie_id, device_id, visitor_id, user_hid, score, created_at } = row
  const visit = { request_id, session_id, cookie_id, device_id, visitor_id, user_hid, score, created_at }
  const at = visits.findIndex((known) => known.request_id === request_id)
  if (at >= 0) return visits.map((known, index) => (index === at ? visit : known))
  return [visit, ...visits].slice(0, KEPT)
}

export interface ComparedVisit extends TabVisit {
  elsewhere: boolean
}

const COMPARED = 8

/** The visits of this tab among those the device made in other tabs and windows, newest first. */
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

/** They outlive a reload, not the tab. Storage may be blocked; then they live as long as the page. */
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
    // Nothing to do: see loadVisits.
  }
}

/** An earlier version of this page may have kept less. */
const isTabVisit = (value: unknown): value is TabVisit =>
  typeof value === 'object' && value !== null && FIELDS.every((field) => field in value)
