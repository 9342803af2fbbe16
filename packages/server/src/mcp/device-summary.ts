import { bandOf, DETECTION_FLAGS, type HistoryRow, NO_IPV4, namesAccount, namesOne } from '@inkling/contract'
import { verdictOfRow } from '@inkling/sdk'

const NAMED_MAX = 20
const DAYS_MAX = 31

/** What the identifications of one device have in common. Rows come newest first. */
export function deviceSummary(rows: readonly HistoryRow[]): object {
  return {
    first_seen: rows.at(-1)?.created_at ?? null,
    last_seen: rows.at(0)?.created_at ?? null,
    identifications: rows.length,
    visits: new Set(rows.map((row) => row.session_id).filter(namesOne)).size,
    accounts: tally(rows.map((row) => row.user_hid).filter(namesAccount)),
    countries: tally(rows.map((row) => row.country).filter(Boolean)),
    addresses: tally(rows.map((row) => row.ip).filter((ip) => ip !== NO_IPV4)),
    browsers: tally(rows.map((row) => `${row.browser} on ${row.os}`)),
    bands: countBands(rows),
    flags: countFlags(rows),
    bands_by_day: bandsByDay(rows),
  }
}

/** The number of different values, and the most frequent ones with their counts. */
function tally(values: readonly string[]): object {
  const counts = [...count(values)].sort(([, a], [, b]) => b - a)
  return {
    different: counts.length,
    most_frequent: counts.slice(0, NAMED_MAX).map(([value, times]) => ({ value, times })),
  }
}

function count<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const countBands = (rows: readonly HistoryRow[]): Record<string, number> =>
  Object.fromEntries(count(rows.map((row) => bandOf(row.score))))

function countFlags(rows: readonly HistoryRow[]): Record<string, number> {
  const raised = rows.flatMap((row) => {
    const verdict = verdictOfRow(row)
    if (verdict.status !== 'scored') return []
    return DETECTION_FLAGS.map(({ flag }) => flag).filter((flag) => verdict.flags[flag])
  })
  return Object.fromEntries(count(raised))
}

/** The latest days on which the device was seen, newest first, in UTC. */
function bandsByDay(rows: readonly HistoryRow[]): Record<string, Record<string, number>> {
  const days = [...Map.groupBy(rows, (row) => row.created_at.slice(0, 10))]
  return Object.fromEntries(days.slice(0, DAYS_MAX).map(([day, ofDay]) => [day, countBands(ofDay)]))
}
