import type { InklingDatabase } from '../inkling/open-database.ts'
import type { Arrivals } from '../receive/open-receiver.ts'

export interface Judgement {
  acknowledged: number
  rows: number
  events: number
  /** Each of these must be 0. */
  faults: {
    acknowledgedWithoutRow: number
    acknowledgedWithSeveralRows: number
    rowsWithoutSnapshot: number
    /** Rows, acknowledged or not, of which the receiver never heard. */
    rowsWithoutEvent: number
    /** Events of what was never stored. */
    eventsWithoutRow: number
    /** Sent again though no kill fell between, or though the first send had been recorded. */
    unexplainedRepeats: number
    damagedFile: number
  }
  /** Events sent again because a kill fell between the send and its record. */
  explainedRepeats: number
}

/** Compares what was promised with what is on disk and at the receiver. */
export function judge(
  acknowledged: ReadonlySet<string>,
  arrivals: Arrivals,
  killedAt: readonly number[],
  database: InklingDatabase,
): Judgement {
  const rows = database.rowsByRequest()
  const rowsOf = (requestId: string): number => rows.get(requestId) ?? 0
  const promised = [...acknowledged]
  const repeats = [...arrivals.values()].flatMap((times) =>
    times.slice(1).map((time, index) => [times[index], time]),
  )
  const explained = repeats.filter(([first = 0, second = 0]) =>
    killedAt.some((kill) => first <= kill && kill <= second),
  ).length

  return {
    acknowledged: acknowledged.size,
    rows: rows.size,
    events: arrivals.size + repeats.length,
    faults: {
      acknowledgedWithoutRow: promised.filter((id) => rowsOf(id) === 0).length,
      acknowledgedWithSeveralRows: promised.filter((id) => rowsOf(id) > 1).length,
      rowsWithoutSnapshot: database.count('identifications') - database.count('snapshots'),
      rowsWithoutEvent: [...rows.keys()].filter((id) => !arrivals.has(id)).length,
      eventsWithoutRow: [...arrivals.keys()].filter((id) => rowsOf(id) === 0).length,
      unexplainedRepeats: repeats.length - explained + database.recordedTwice().length,
      damagedFile: database.integrity() === 'ok' ? 0 : 1,
    },
    explainedRepeats: explained,
  }
}
