import { type Band, bandOf, namesAccount, namesOne } from '@inkling/contract'
import type { EntityDay, EntitySummary, LinkedValue } from '@inkling/contract/account'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { uuidToText } from '../../lib/uuid.ts'
import type { EntityRow } from '../../store/identifications/identifications.ts'
import { presentTime } from '../present-time.ts'

const LINKED_MAX = 50
const DAY_LENGTH = 'YYYY-MM-DD'.length

type Summary = Omit<EntitySummary, 'type' | 'value' | 'complete' | 'graph' | 'patterns'>

/**
 * What rows that share an identifier say together.
 * @param rows newest first; undefined is answered without any
 */
export function summariseEntity(rows: readonly EntityRow[]): Summary | undefined {
  const [newest] = rows
  const oldest = rows.at(-1)
  if (!newest || !oldest) return undefined
  const scores = rows.flatMap(({ score }) => (hasScore(score) ? [score] : []))
  return {
    first_seen_at: presentTime(oldest.created_at),
    last_seen_at: presentTime(newest.created_at),
    identifications: rows.length,
    average_score: scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    highest_score: highest(scores),
    bands: countBands(rows),
    days: days(rows),
    linked: {
      device_id: linked(rows, (row) => one(uuidToText(row.device_id))),
      visitor_id: linked(rows, (row) => one(uuidToText(row.visitor_id))),
      user_hid: linked(rows, ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined)),
      ip: linked(rows, ({ ip }) => (ip === null ? undefined : ipv4ToText(ip))),
      cookie_id: linked(rows, (row) => one(uuidToText(row.cookie_id))),
      country: linked(rows, ({ country }) => country ?? undefined),
      browser: linked(rows, ({ browser }) => browser),
      os: linked(rows, ({ os }) => os),
    },
  }
}

/** Markers of a rate-limited address carry a number that is no score. */
const hasScore = (score: number): boolean => bandOf(score) !== 'rate_limited'
const highest = (scores: readonly number[]): number => scores.reduce((top, score) => Math.max(top, score), 0)
const one = (id: string): string | undefined => (namesOne(id) ? id : undefined)

function countBands(rows: readonly EntityRow[]): Record<Band, number> {
  const bands: Record<Band, number> = { trusted: 0, suspicious: 0, dangerous: 0, rate_limited: 0 }
  for (const { score } of rows) bands[bandOf(score)] += 1
  return bands
}

function days(rows: readonly EntityRow[]): EntityDay[] {
  const byDay = Map.groupBy(rows, ({ created_at }) => presentTime(created_at).slice(0, DAY_LENGTH))
  return [...byDay]
    .map(([day, those]) => ({
      day,
      identifications: those.length,
      highest_score: highest(those.flatMap(({ score }) => (hasScore(score) ? [score] : []))),
    }))
    .reverse()
}

/** Rows come newest first, so the first one with a value is its newest. */
function linked(rows: readonly EntityRow[], read: (row: EntityRow) => string | undefined): LinkedValue[] {
  const byValue = Map.groupBy(rows, read)
  return [...byValue]
    .flatMap(([value, [newest, ...others]]) =>
      value === undefined || !newest
        ? []
        : [{ value, identifications: others.length + 1, last_seen_at: presentTime(newest.created_at) }],
    )
    .sort((a, b) => b.identifications - a.identifications)
    .slice(0, LINKED_MAX)
}
