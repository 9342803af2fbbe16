import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Rules } from '../../score/rules.ts'
import { score } from '../../score/score.ts'
import { identificationRow, readVerdict } from '../../store/identifications/identification-row.ts'
import type { StickyVerdicts } from '../../store/identifications/sticky-verdicts.ts'
import type { Store } from '../../store/store.ts'
import type { Scored } from '../../visit/identification.ts'
import { addRescored, type Differences, emptyDifferences, isChanged } from './differences.ts'
import type { StoredVisitRow } from './stored-visits.ts'

/** Writes each changed row as a later version, without an event. */
export interface RescoreWriter {
  commit: Store['commit']
  now(): number
  sticky: Pick<StickyVerdicts, 'changeOf' | 'remember'>
  /** The visit as it is stored now; undefined once it is gone. */
  again(row: StoredVisitRow['row']): Promise<StoredVisitRow | undefined>
}

export interface RescoreOptions {
  rules: Rules
  /** Undefined for a dry run. */
  writer: RescoreWriter | undefined
  /** Called after each visit with the number of visits so far. */
  onVisit?: (done: number) => void
  /** Sleeps a millisecond after each visit, which takes about as long, to leave half of the CPU to a server. */
  background?: boolean
  /** Stops between two visits. */
  signal?: AbortSignal
}

/**
 * Scores stored visits again: the same facts under the same rules give the same score. Yields to the event loop after
 * each visit, so that a server keeps answering.
 * @throws when `signal` aborts, or when a row cannot be written
 */
export async function rescore(
  visits: AsyncIterable<StoredVisitRow>,
  { rules, writer, onVisit, background = false, signal }: RescoreOptions,
): Promise<Differences> {
  const differences = emptyDifferences()
  for await (const visit of visits) {
    signal?.throwIfAborted()
    const judged = await rescoreVisit(visit, rules, writer)
    if (judged) addRescored(differences, judged.row, judged.scored)
    onVisit?.(differences.identifications)
    await (background ? setTimeout(1) : setImmediate())
  }
  return differences
}

/** @returns the row that was scored; undefined if it went away meanwhile */
async function rescoreVisit(
  visit: StoredVisitRow,
  rules: Rules,
  writer: RescoreWriter | undefined,
): Promise<{ row: StoredVisitRow['row']; scored: Scored } | undefined> {
  let current: StoredVisitRow | undefined = visit
  while (current) {
    const { row }: StoredVisitRow = current
    const scored = score(current.visit, rules)
    if (!writer || !isChanged(row, scored)) return { row, scored }
    const sticky = writer.sticky.changeOf(scored, readVerdict(row.verdict).entries)
    const outcome = await writer.commit({
      type: 'refinement',
      row: identificationRow(scored, Math.max(writer.now(), row.ver + 1)),
      earlierVer: row.ver,
      isRescored: true,
      snapshot: undefined,
      outbox: [],
      ...sticky,
    })
    if (outcome.type === 'failed') throw new Error(outcome.message)
    if (outcome.type === 'refined') writer.sticky.remember(scored, sticky)
    if (outcome.type !== 'outdated') return { row, scored }
    // Evidence has come since it was read.
    current = await writer.again(row)
  }
  return undefined
}
