export const PRESETS = {
  '24h': { label: '24 hours', hours: 24 },
  '7d': { label: '7 days', hours: 7 * 24 },
  '30d': { label: '30 days', hours: 30 * 24 },
  '90d': { label: '90 days', hours: 90 * 24 },
} as const
export type Preset = keyof typeof PRESETS

/** What the address of the overview says: a stretch up to now, or first and last day, `YYYY-MM-DD`, of its own. */
export type OverviewSearch = { range?: Preset } | { first: string; last: string }

const USUAL: Preset = '7d'

/** Of an address that was typed by hand, too. */
export function readOverviewSearch({ range, first, last }: Record<string, unknown>): OverviewSearch {
  if (isDay(first) && isDay(last) && first <= last) return { first, last }
  const preset = Object.keys(PRESETS).find((known) => known === range)
  return preset === undefined ? {} : { range: preset as Preset }
}

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

export const presetOf = (search: OverviewSearch): Preset | undefined =>
  'first' in search ? undefined : (search.range ?? USUAL)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface AskedRange {
  from: string
  to: string
}

/** The range to ask for; the same one for an hour, so that answers are shared. Days are those of UTC. */
export function rangeOf(search: OverviewSearch, nowMs: number): AskedRange {
  if ('first' in search)
    return { from: at(Date.parse(search.first)), to: at(Date.parse(search.last) + DAY_MS) }
  const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  const lengthMs = PRESETS[search.range ?? USUAL].hours * HOUR_MS
  if (lengthMs === DAY_MS) return { from: at(toMs - DAY_MS), to: at(toMs) }
  // With today as the last of its days.
  return { from: at(Math.ceil(toMs / DAY_MS) * DAY_MS - lengthMs), to: at(toMs) }
}

const at = (atMs: number): string => new Date(atMs).toISOString()
