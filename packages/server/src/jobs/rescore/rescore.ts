import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Rules } from '../../score/rules.ts'
import { score } from '../../score/score.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'
import type { Store } from '../../store/store.ts'
import { addRescored, type Differences, emptyDifferences } from './differences.ts'
import type { StoredVisitRow } from './stored-visits.ts'

export interface RescoreOptions {
  rules: Rules
  /** Writes each changed row as a later version, without an event; undefined for a dry run. */
  commit: Store['commit'] | undefined
  now(): number
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
  { rules, commit, now, onVisit, background = false, signal }: RescoreOptions,
): Promise<Differences> {
  const differences = emptyDifferences()
  for await (const { row, visit } of visits) {
    signal?.throwIfAborted()
    const scored = score(visit, rules)
    const isChanged = addRescored(differences, row, scored)
    onVisit?.(differences.identifications)
    await (background ? setTimeout(1) : setImmediate())
    if (!isChanged) continue
    const outcome = await commit?.({
      type: 'refinement',
      row: identificationRow(scored, Math.max(now(), row.ver + 1)),
      snapshot: undefined,
      outbox: [],
    })
    if (outcome?.type === 'failed') throw new Error(outcome.message)
  }
  return differences
}
