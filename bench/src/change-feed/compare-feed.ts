import { DatabaseSync } from 'node:sqlite'
import type { ChangeFeedLine } from '../../../packages/contract/src/change-feed.ts'
import type { StoredVersion } from '../inkling/inkling-database.ts'

/** Each count must be 0. */
export interface FeedFaults {
  acknowledgedWithoutLine: number
  decisionsWithoutLine: number
  rowsWithoutLine: number
  /** Another version or score than the row. */
  linesUnlikeRow: number
  /** Not among the rows, and not told as removed. */
  linesWithoutRow: number
  /** Erased, and the last line of its key says something else. */
  erasedWithoutRemoval: number
}

interface Expected {
  acknowledged: ReadonlySet<string>
  decisions: ReadonlySet<string>
  erased: ReadonlySet<string>
  rows: ReadonlyMap<string, StoredVersion>
}

export interface Received {
  count: number
  line(key: string): ChangeFeedLine | undefined
  keys(): string[]
  close(): void
}

/** What a receiver has kept. */
export function openReceived(file: string): Received {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  const found = db.prepare('select line from latest where key = ?')
  return {
    count: Number(db.prepare('select count(*) as total from latest').get()?.total),
    line(key) {
      const row = found.get(key)
      return row && (JSON.parse(String(row.line)) as ChangeFeedLine)
    },
    keys: () =>
      db
        .prepare('select key from latest')
        .all()
        .map(({ key }) => String(key)),
    close: () => db.close(),
  }
}

/** Compares what a receiver kept with what is stored. */
export function compareFeed(received: Received, expected: Expected): FeedFaults {
  const ofVisit = (requestId: string) => received.line(`identification:${requestId}`)
  const visitKeys = received.keys().filter((key) => key.startsWith('identification:'))
  const without = (ids: Iterable<string>, prefix: string): number =>
    [...ids].filter((id) => !received.line(`${prefix}:${id}`)).length
  return {
    acknowledgedWithoutLine: without(expected.acknowledged, 'identification'),
    decisionsWithoutLine: without(expected.decisions, 'decision'),
    rowsWithoutLine: without(expected.rows.keys(), 'identification'),
    linesUnlikeRow: [...expected.rows].filter(([requestId, { ver, score }]) => {
      const line = ofVisit(requestId)
      return (
        line?.kind !== 'identification' ||
        line.identification.ver !== ver ||
        line.identification.score !== score
      )
    }).length,
    linesWithoutRow: visitKeys.filter(
      (key) => received.line(key)?.kind !== 'removal' && !expected.rows.has(key.slice(key.indexOf(':') + 1)),
    ).length,
    erasedWithoutRemoval: [...expected.erased].filter((requestId) => ofVisit(requestId)?.kind !== 'removal')
      .length,
  }
}
