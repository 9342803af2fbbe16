import type { Kysely } from 'kysely'
import { ipv4ToText } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { findingsToRecheck } from '../../store/findings/findings.ts'
import { movePatternCursor, patternCursor } from '../../store/findings/pattern-cursor.ts'
import {
  type CandidateType,
  candidates,
  type PatternEntityKey,
  touchedEntities,
} from '../../store/findings/pattern-input.ts'
import { type IdRange, nextIdRange } from '../../store/identifications/id-range.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { identifiesOneEntity } from './entity-rows.ts'
import { LONGEST_WINDOW_MS, PATTERNS } from './patterns.ts'
import { updateFindings } from './update-findings.ts'

/** Numbers of identifications between two moves of the cursor. A cluster is asked several times for each batch. */
const BATCH_SIZES = { sqlite: 250, postgres: 2_500 } as const
/** A run that takes longer stops; the next one continues. */
const RUN_MS_MAX = 30_000
/** Of it for rechecks at least, so that no finding stands for longer because batches always take all of their time. */
const RECHECKS_MS_MIN = 5_000
const BATCHES_MAX = 400
const RECHECKS_MAX = 1_000
/** Entities in one query for candidates. */
const QUERY_ENTITIES = 200

const ENTITY_TYPES: readonly CandidateType[] = ['device_id', 'visitor_id', 'user_hid', 'local_ip']

export interface PatternRunOptions {
  /** Younger identifications wait, because late evidence may still change them. */
  settledAfterMs: number
  now(): number
  stopped?(): boolean
}

export interface PatternRun {
  identifications: number
  /** Entities whose patterns were graded. */
  entities: number
  /** Grades that changed. */
  changes: number
}

/** Grades the entities that had identifications since the last run, and rechecks findings that may have expired. */
export async function runPatterns(
  store: Store,
  { settledAfterMs, now, stopped = () => false }: PatternRunOptions,
): Promise<PatternRun> {
  const nowMs = now()
  const sinceMs = nowMs - LONGEST_WINDOW_MS
  const limits = { nowMs, settledAfterMs, limit: BATCH_SIZES[store.engine] }
  const run: PatternRun = { identifications: 0, entities: 0, changes: 0 }
  // Grading once per run is enough: nothing newer than its start is read.
  const seen = new Set<string>()
  const graded = new Set<string>()
  const endMs = performance.now() + RUN_MS_MAX
  const isOver = (atMs: number): boolean => stopped() || performance.now() > atMs

  async function grade(key: PatternEntityKey): Promise<void> {
    if (graded.has(entityName(key))) return
    graded.add(entityName(key))
    run.entities += 1
    run.changes += await updateFindings(store, key, nowMs)
  }

  for (let batches = 0; batches < BATCHES_MAX && !isOver(endMs - RECHECKS_MS_MIN); batches += 1) {
    const batch = await nextIdRange(store, await patternCursor(store.jobReads, sinceMs), limits)
    if (!batch) break
    for await (const key of findCandidates(store.jobReads, batch, sinceMs, seen)) await grade(key)
    await movePatternCursor(store.writes, batch.through)
    run.identifications += batch.count
    if (batch.isLast) break
  }
  const recheckedMs = Math.max(endMs, performance.now() + RECHECKS_MS_MIN)
  for (const finding of await findingsToRecheck(store.jobReads, nowMs, RECHECKS_MAX)) {
    if (isOver(recheckedMs)) break
    const type = PATTERNS.find(({ name }) => name === finding.pattern)?.entity
    if (type) await grade({ domainId: finding.domain_id, type, value: finding.entity_value })
  }
  return run
}

/**
 * The entities of a batch that have enough identifications to be worth grading.
 * @param seen names of entities that were queried before, which are skipped; those of this batch are added
 */
async function* findCandidates(
  db: Kysely<Schema>,
  batch: IdRange,
  sinceMs: number,
  seen: Set<string>,
): AsyncGenerator<PatternEntityKey> {
  for (const type of ENTITY_TYPES) {
    const touched = (await touchedEntities(db, type, batch)).filter(({ domain_id, value }) => {
      const key = entityKey(domain_id, type, value)
      const name = entityName(key)
      if (seen.has(name) || !identifiesOneEntity(key)) return false
      seen.add(name)
      return true
    })
    for (const [domainId, ofDomain] of Map.groupBy(touched, ({ domain_id }) => domain_id))
      for (let from = 0; from < ofDomain.length; from += QUERY_ENTITIES) {
        const values = ofDomain.slice(from, from + QUERY_ENTITIES).map(({ value }) => value)
        for (const value of await candidates(db, type, { domainId, values, sinceMs }))
          yield entityKey(domainId, type, value)
      }
  }
}

/** Tells entities apart within one run. */
const entityName = ({ domainId, type, value }: PatternEntityKey): string => `${domainId} ${type} ${value}`

const entityKey = (
  domainId: number,
  type: CandidateType,
  value: Uint8Array | string | number,
): PatternEntityKey => ({ domainId, type, value: entityValue(value) })

function entityValue(value: Uint8Array | string | number): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? ipv4ToText(value) : uuidToText(value)
}
