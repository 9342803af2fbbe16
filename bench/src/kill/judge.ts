import type { InklingDatabase } from '../inkling/inkling-database.ts'
import type { Arrivals } from '../receive/open-receiver.ts'

export interface Judgement {
  acknowledged: number
  rows: number
  events: number
  /** Each count must be 0. */
  faults: {
    acknowledgedWithoutRow: number
    acknowledgedWithSeveralRows: number
    rowsWithoutSnapshot: number
    /** Rows, acknowledged or not, whose event never arrived. */
    rowsWithoutEvent: number
    /** Events without a stored row. */
    eventsWithoutRow: number
    /** Repeated without an outage in between, or although the first delivery was recorded. */
    unexplainedRepeats: number
    damagedFile: number
  }
  /** Events repeated because an outage fell between delivery and record. */
  explainedRepeats: number
}

/** Outages in times of `clockMs`; a kill has no duration. */
export interface Outage {
  fromMs: number
  untilMs: number
}

/** Compares acknowledged identifications with the database and the receiver. */
export async function judge(
  acknowledged: ReadonlySet<string>,
  arrivals: Arrivals,
  outages: readonly Outage[],
  database: InklingDatabase,
): Promise<Judgement> {
  const rows = await database.rowsByRequest()
  const rowsOf = (requestId: string): number => rows.get(requestId) ?? 0
  const promised = [...acknowledged]
  const repeats = [...arrivals.values()].flatMap((times) =>
    times.slice(1).map((time, index) => [times[index], time]),
  )
  const explained = repeats.filter(([first = 0, second = 0]) =>
    outages.some(({ fromMs, untilMs }) => first <= untilMs && fromMs <= second),
  ).length

  return {
    acknowledged: acknowledged.size,
    rows: rows.size,
    events: arrivals.size + repeats.length,
    faults: {
      acknowledgedWithoutRow: promised.filter((id) => rowsOf(id) === 0).length,
      acknowledgedWithSeveralRows: promised.filter((id) => rowsOf(id) > 1).length,
      rowsWithoutSnapshot: (await database.count('identifications')) - (await database.count('snapshots')),
      rowsWithoutEvent: [...rows.keys()].filter((id) => !arrivals.has(id)).length,
      eventsWithoutRow: [...arrivals.keys()].filter((id) => rowsOf(id) === 0).length,
      unexplainedRepeats: repeats.length - explained + (await database.recordedTwice()).length,
      damagedFile: (await database.integrity()) === 'ok' ? 0 : 1,
    },
    explainedRepeats: explained,
  }
}
