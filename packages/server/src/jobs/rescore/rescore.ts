import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Rules } from '../../score/rules.ts'
import { score } from '../../score/score.ts'
import { identificationRow } from '../../store/identification-row.ts'
import type { Store } from '../../store/store.ts'
import { addVisit, type Differences, emptyDifferences } from './differences.ts'
import type { StoredVisitRow } from './stored-visits.ts'

export interface RescoreOptions {
  rules: Rules
  /** Writes what changed as a later version of each row, without any event; undefined only reports. */
  commit: Store['commit'] | undefined
  now(): number
  /** Told after each visit how many there were. */
  onVisit?: (done: number) => void
  /** Rests for a millisecond after each visit, which takes about as long: for a process with other work to do. */
  gently?: boolean
  /** Ends it between two visits. */
  signal?: AbortSignal
}

/**
 * Scores stored visits again. The same facts under the same rules give the same score. Other work has its turn after
 * each visit, so that a server goes on answering.
 * @throws when `signal` fires, or a row cannot be written
 */
export async function rescore(
  visits: AsyncIterable<StoredVisitRow>,
  { rules, commit, now, onVisit, gently = false, signal }: RescoreOptions,
): Promise<Differences> {
  const differences = emptyDifferences()
  for await (const { row, visit } of visits) {
    signal?.throwIfAborted()
    const scored = score(visit, rules)
    const isChanged = addVisit(differences, row, scored)
    onVisit?.(differences.identifications)
    await (gently ? setTimeout(1) : setImmediate())
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
