import { moveCursor, nextPiece } from '../../store/pattern-cursor.ts'
import { findingsToRecheck } from '../../store/pattern-findings.ts'
import type { PatternEntityKey } from '../../store/pattern-rows.ts'
import type { Store } from '../../store/store.ts'
import { entityName, findCandidates } from './find-candidates.ts'
import { judgeEntity } from './judge-entity.ts'
import { LONGEST_WINDOW_MS, PATTERNS } from './patterns.ts'

/** Identifications between two moves of the cursor. */
const PIECE = 250
/** What a run leaves over when its time is up, the next one takes up. */
const RUN_MS_MAX = 30_000
const PIECES_MAX = 400
const RECHECKS_MAX = 1_000

export interface PatternRunOptions {
  /** Identifications younger than this wait: later evidence still changes them. */
  settledAfterMs: number
  now(): number
  stopped?(): boolean
}

export interface PatternRun {
  identifications: number
  /** Entities that were looked at closely. */
  entities: number
  /** Grades that changed. */
  changes: number
}

/** Looks for patterns on whatever had identifications since the last run, and on what was found before. */
export async function runPatterns(
  store: Store,
  { settledAfterMs, now, stopped = () => false }: PatternRunOptions,
): Promise<PatternRun> {
  const nowMs = now()
  const sinceMs = nowMs - LONGEST_WINDOW_MS
  const limits = { sinceMs, settledMs: nowMs - settledAfterMs, nowMs, limit: PIECE }
  const run: PatternRun = { identifications: 0, entities: 0, changes: 0 }
  // Everything that this run looks at was there at its beginning, so that once is enough.
  const seen = new Set<string>()
  const looked = new Set<string>()
  const startedMs = performance.now()
  const ended = (): boolean => stopped() || performance.now() - startedMs > RUN_MS_MAX

  async function look(key: PatternEntityKey): Promise<void> {
    if (looked.has(entityName(key))) return
    looked.add(entityName(key))
    run.entities += 1
    run.changes += await judgeEntity(store, key, nowMs)
  }

  for (let pieces = 0; pieces < PIECES_MAX && !ended(); pieces += 1) {
    const piece = await nextPiece(store.jobReads, limits)
    if (!piece) break
    for await (const key of findCandidates(store.jobReads, piece, sinceMs, seen)) await look(key)
    await moveCursor(store.writes, piece.through)
    run.identifications += piece.through - piece.after
  }
  for (const finding of await findingsToRecheck(store.jobReads, nowMs, RECHECKS_MAX)) {
    if (ended()) break
    const type = PATTERNS.find(({ name }) => name === finding.pattern)?.entity
    if (type) await look({ domainId: finding.domain_id, type, value: finding.entity_value })
  }
  return run
}
