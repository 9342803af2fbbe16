export const PRESETS = {
  '24h': { label: '24 hours', hours: 24 },
  '7d': { label: '7 days', hours: 7 * 24 },
  '30d': { label: '30 days', hours: 30 * 24 },
  '90d': { label: '90 days', hours: 90 * 24 },
} as const
export type Preset = keyof typeof PRESETS

/** The range in the address: a preset that ends now, or a first and a last day as `YYYY-MM-DD`. */
export type OverviewSearch = { range?: Preset } | { first: string; last: string }

const DEFAULT: Preset = '7d'

/** Ignores what is invalid, so that an address typed by hand cannot break the page. */
export function parseOverviewSearch({ range, first, last }: Record<string, unknown>): OverviewSearch {
  if (isDay(first) && isDay(last) && first <= last) return { first, last }
  const preset = Object.keys(PRESETS).find((known) => known === range)
  return preset === undefined ? {} : { range: preset as Preset }
}

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

export const presetOf = (search: OverviewSearch): Preset | undefined =>
  'first' in search ? undefined : (search.range ?? DEFAULT)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface TimeRange {
  from: string
  to: string
}

/** The range to request, in UTC. It ends on a full hour, so that requests within the hour share a response. */
export function rangeOf(search: OverviewSearch, nowMs: number): TimeRange {
  if ('first' in search)
    return { from: at(Date.parse(search.first)), to: at(Date.parse(search.last) + DAY_MS) }
  const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  const lengthMs = PRESETS[search.range ?? DEFAULT].hours * HOUR_MS
  if (lengthMs === DAY_MS) return { from: at(toMs - DAY_MS), to: at(toMs) }
  // Whole days, the last of which is today.
  return { from: at(Math.ceil(toMs / DAY_MS) * DAY_MS - lengthMs), to: at(toMs) }
}

const at = (atMs: number): string => new Date(atMs).toISOString()
