import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { ChangeFeedLine } from '@inkling/contract'
import { changeFeedStore, type FeedPosition, type LateChange } from '../../store/change-feed/change-feed.ts'
import { commitHorizon } from '../../store/change-feed/commit-horizon.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { Store } from '../../store/store.ts'
import { decisionLine, identificationLine, type LineOptions, removalLine } from './change-line.ts'
import { prepareFeedDirectory, writeFeedFile } from './feed-file.ts'
import { unreadBytes } from './unread-bytes.ts'

/** Sequence numbers of a file, which has no more lines than that. */
const FILE_LINES_MAX = 100_000
/** A file ends with the page that goes beyond this, before it is compressed. */
const FILE_BYTES_MAX = 64 * 1_024 * 1_024
/** Rows in one query, and late changes of a file. */
const PAGE = 100
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
}

type FeedStore = Pick<Store, 'engine' | 'jobReads' | 'writes'>

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
  { jobReads }: FeedStore,
  { identification_id, decision_id }: FeedPosition,
  { nowMs, horizon }: FileSettings,
): Promise<boolean> {
  const feed = changeFeedStore(jobReads)
  const [late, decisions, identifications] = await Promise.all([
    feed.lateChanges(1),
    feed.decisions(decision_id, horizon.decision, 1),
    feed.identifications(identification_id, horizon.identification, { nowMs, limit: 1 }),
  ])
  return late.length + decisions.length + identifications.length > 0
}

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
  { jobReads }: FeedStore,
  {
    nowMs,
    horizon,
    personal,
    unreadable,
    fileBytesMax = FILE_BYTES_MAX,
    stopped = () => false,
  }: FileSettings,
  { first, reached, late }: Progress,
): AsyncGenerator<string> {
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
  const isFull = (): boolean => stopped() || bytes >= fileBytesMax || count + PAGE > FILE_LINES_MAX

  late.push(...(await feed.lateChanges(LATE_MAX)))
  yield* textsOf(await feed.changedIdentifications(late), identificationLine)
  yield* textsOf(await feed.changedDecisions(late), decisionLine)
  // Last: a removed row can be a changed one no longer.
  yield* textsOf(
    late.filter(({ kind }) => kind === 'removal'),
    removalLine,
  )
  while (!isFull()) {
    const rows = await feed.decisions(reached.decision_id, horizon.decision, PAGE)
    yield* textsOf(rows, decisionLine)
    reached.decision_id = rows.at(-1)?.id ?? reached.decision_id
    if (rows.length < PAGE) break
  }
  while (!isFull()) {
    const limits = { nowMs, limit: PAGE }
    const rows = await feed.identifications(reached.identification_id, horizon.identification, limits)
    yield* textsOf(rows, identificationLine)
    reached.identification_id = rows.at(-1)?.id ?? reached.identification_id
    if (rows.length < PAGE) break
    // Visits are answered by the same thread.
    await turn()
  }
}
