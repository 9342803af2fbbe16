import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { ChangeFeedLine } from '@inkling/contract'
import { changeFeedStore, type FeedPosition, type LateChange } from '../../store/change-feed/change-feed.ts'
import { commitHorizon } from '../../store/change-feed/commit-horizon.ts'
import { SETTLED_MS } from '../../store/change-feed/is-late-change.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { type IdRange, nextIdRange } from '../../store/identifications/id-range.ts'
import type { Store } from '../../store/store.ts'
import { decisionLine, identificationLine, type LineOptions, removalLine } from './change-line.ts'
import { prepareFeedDirectory, writeFeedFile } from './feed-file.ts'
import { unreadBytes } from './unread-bytes.ts'

/** Sequence numbers of a file, which has no more lines than that. */
const FILE_LINES_MAX = 100_000
/** A file ends with the page that goes beyond this, before it is compressed. */
const FILE_BYTES_MAX = 64 * 1_024 * 1_024
/** A cluster is asked twice for each page, however many rows it has. */
const PAGE_SIZES = { sqlite: 100, postgres: 1_000 } as const
/** Lines between two turns of the event loop: visits are answered by the same thread. */
const LINES_IN_TURN = 100
/** Late changes of a file. */
const LATE_MAX = 1_000
/** A commit that takes longer holds up the feed until the next run. */
const PATIENCE_MS = 10_000

export interface ChangeFeedSettings {
  directory: string
  /** The feed writes no more while unread files take this much. */
  unreadBytesMax: number
  /** Whether lines may name people. */
  personal: boolean
  now(): number
  /** Told of rows that cannot be read, which are left out. */
  unreadable(error: unknown): void
  stopped?(): boolean
  fileBytesMax?: number
  /** Rows in one query. */
  pageSize?: number
}

type FeedStore = Pick<Store, 'engine' | 'jobReads' | 'writes' | 'areCommitsEnded'>

/**
 * Writes what was stored and what changed since the last run to files, each of which gets its name before the feed moves
 * on: after a crash lines are repeated, and none is missing. It reads what is stored, so that no commit waits for it.
 * One process at a time.
 * @returns the names of the files
 */
export async function writeChangeFeed(store: FeedStore, settings: ChangeFeedSettings): Promise<string[]> {
  const { directory, unreadBytesMax, now, stopped = () => false } = settings
  await prepareFeedDirectory(directory)
  // Read before the horizon: what is older than this has settled when the commits that run have ended.
  const nowMs = now()
  await changeFeedStore(store.writes).begin(nowMs)
  const horizon = await commitHorizon(store, { patienceMs: PATIENCE_MS, pause })
  const names: string[] = []
  while (horizon && !stopped()) {
    if ((await unreadBytes(directory)) >= unreadBytesMax) break
    const name = await writeNextFile(store, { ...settings, nowMs, horizon })
    if (name === undefined) break
    names.push(name)
  }
  return names
}

interface FileSettings extends ChangeFeedSettings {
  nowMs: number
  horizon: { identification: number; decision: number }
}

async function writeNextFile(store: FeedStore, settings: FileSettings): Promise<string | undefined> {
  const position = await changeFeedStore(store.jobReads).position()
  if (!position || !(await hasMore(store, position, settings))) return undefined
  if (!(await changeFeedStore(store.writes).reserve(position, FILE_LINES_MAX)))
    throw new Error('another process writes the change feed as well')
  const reached = { ...position, sequence: position.sequence + FILE_LINES_MAX }
  const late: LateChange[] = []
  const lines = linesFrom(store, settings, { first: position.sequence + 1, reached, late })
  const name = await writeFeedFile(settings.directory, position.sequence + 1, lines)
  const moved = await store.writes
    .transaction()
    .execute((transaction) => changeFeedStore(transaction).advance(reached, late))
  return moved ? name : undefined
}

/** Without this every run would take sequence numbers for nothing. */
async function hasMore(
  store: FeedStore,
  { identification_id, decision_id }: FeedPosition,
  settings: FileSettings,
): Promise<boolean> {
  const feed = changeFeedStore(store.jobReads)
  const [late, decisions, identifications] = await Promise.all([
    feed.lateChanges(1),
    feed.decisions(decision_id, settings.horizon.decision, 1),
    nextRange(store, identification_id, settings),
  ])
  return late.length + decisions.length > 0 || identifications !== undefined
}

const nextRange = (
  store: FeedStore,
  after: number,
  { nowMs, horizon, pageSize = PAGE_SIZES[store.engine] }: FileSettings,
): Promise<IdRange | undefined> =>
  nextIdRange(store, after, {
    nowMs,
    settledAfterMs: SETTLED_MS,
    limit: pageSize,
    through: horizon.identification,
  })

interface Progress {
  /** The first sequence number. */
  first: number
  /** Moves on with each line. */
  reached: FeedPosition
  /** Gets the late changes whose rows are among the lines. */
  late: LateChange[]
}

/** What changed late first: new rows may never end. */
async function* linesFrom(
  store: FeedStore,
  settings: FileSettings,
  { first, reached, late }: Progress,
): AsyncGenerator<string> {
  const { jobReads, engine } = store
  const { horizon, personal, unreadable, fileBytesMax = FILE_BYTES_MAX, stopped = () => false } = settings
  const { pageSize = PAGE_SIZES[engine] } = settings
  const feed = changeFeedStore(jobReads)
  const sites = new Map((await domainStore(jobReads).list()).map(({ id, name }) => [id, name]))
  let count = 0
  let bytes = 0
  /** One damaged row must not hold up all others. */
  function* textsOf<Row extends { domain_id: number }>(
    rows: readonly Row[],
    present: (row: Row, options: LineOptions) => ChangeFeedLine,
  ): Generator<string> {
    for (const row of rows) {
      const site = sites.get(row.domain_id) ?? ''
      try {
        const text = JSON.stringify(present(row, { sequence: first + count, site, personal }))
        count += 1
        bytes += text.length
        yield text
      } catch (error) {
        unreadable(error)
      }
    }
  }
  const isFull = (): boolean => stopped() || bytes >= fileBytesMax || count + pageSize > FILE_LINES_MAX

  late.push(...(await feed.lateChanges(LATE_MAX)))
  yield* textsOf(await feed.changedIdentifications(late), identificationLine)
  yield* textsOf(await feed.changedDecisions(late), decisionLine)
  // Last: a removed row can be a changed one no longer.
  yield* textsOf(
    late.filter(({ kind }) => kind === 'removal'),
    removalLine,
  )
  while (!isFull()) {
    const rows = await feed.decisions(reached.decision_id, horizon.decision, pageSize)
    yield* textsOf(rows, decisionLine)
    reached.decision_id = rows.at(-1)?.id ?? reached.decision_id
    if (rows.length < pageSize) break
  }
  while (!isFull()) {
    const range = await nextRange(store, reached.identification_id, settings)
    if (!range) break
    const rows = await feed.identifications(range)
    for (let from = 0; from < rows.length; from += LINES_IN_TURN) {
      yield* textsOf(rows.slice(from, from + LINES_IN_TURN), identificationLine)
      await turn()
    }
    reached.identification_id = range.through
    if (range.isLast) break
  }
}
