import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { changeOf, patternEvent } from '../../deliver/pattern-event.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { findingEventsId } from '../../store/forget-findings.ts'
import {
  type FindingChange,
  type FoundPattern,
  openFindings,
  recordFinding,
} from '../../store/pattern-findings.ts'
import { type PatternEntityKey, patternRows } from '../../store/pattern-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { type Judgement, judge } from './judge.ts'
import { namesOneEntity } from './names-one-entity.ts'
import type { PatternRow } from './pattern.ts'
import { LONGEST_WINDOW_MS, PATTERNS } from './patterns.ts'
import { readRow } from './read-row.ts'
import { NO_SURROUNDINGS, surroundingsOf } from './surroundings.ts'

/**
 * Looks for every pattern of an entity's kind and keeps what is found.
 * @returns how many grades changed
 */
export async function judgeEntity(store: Store, key: PatternEntityKey, nowMs: number): Promise<number> {
  const rows = await readRows(store.jobReads, key, nowMs)
  const surroundings =
    key.type === 'device_id'
      ? await surroundingsOf(store.jobReads, key.domainId, rows, nowMs)
      : NO_SURROUNDINGS
  const open = new Set((await openFindings(store.jobReads, key)).map(({ pattern }) => pattern))
  let changes = 0
  for (const pattern of PATTERNS.filter(({ entity }) => entity === key.type)) {
    const judgement = judge(pattern, rows, surroundings, nowMs)
    if (!judgement && !open.has(pattern.name)) continue
    const changed = await store.writes.transaction().execute(async (transaction) => {
      const change = await recordFinding(
        transaction,
        key,
        pattern.name,
        judgement && foundPattern(judgement),
        nowMs,
      )
      if (!change || changeOf(change.before, change.after) === undefined) return false
      await announce(transaction, change, nowMs)
      return true
    })
    if (changed) changes += 1
  }
  return changes
}

async function readRows(db: Kysely<Schema>, key: PatternEntityKey, nowMs: number): Promise<PatternRow[]> {
  if (!namesOneEntity(key)) return []
  return (await patternRows(db, key, nowMs - LONGEST_WINDOW_MS)).map(readRow)
}

const foundPattern = (judgement: Judgement): FoundPattern => ({
  grade: judgement.grade,
  count: judgement.count,
  suspicious_from: judgement.suspiciousFrom,
  dangerous_from: judgement.dangerousFrom,
  average_score: judgement.averageScore,
  first_at: judgement.firstAtMs,
  last_at: judgement.lastAtMs,
  rowIds: judgement.rowIds,
})

/** Leaves an event for each endpoint that asked for it, in the transaction that changed the grade. */
async function announce(transaction: Kysely<Schema>, change: FindingChange, nowMs: number): Promise<void> {
  const { id, domain_id } = change.after
  const endpoints = await transaction
    .selectFrom('endpoints')
    .innerJoin('domains', 'domains.id', 'endpoints.domain_id')
    .select(['endpoints.id', 'domains.name'])
    .where('endpoints.domain_id', '=', domain_id)
    .where('endpoints.enabled', '=', 1)
    .where('endpoints.pattern_events', '=', 1)
    .execute()
  const eventId = randomUUID()
  for (const endpoint of endpoints)
    await transaction
      .insertInto('outbox')
      .values({
        domain_id,
        endpoint_id: endpoint.id,
        request_id: findingEventsId(id),
        event_id: uuidBytesOrNil(eventId),
        body: patternEvent(change, { domain: endpoint.name, eventId, createdAtMs: nowMs }),
        attempts: 0,
        // Held by nobody: the next sweep of any process takes it.
        due_at: nowMs,
      })
      .execute()
}
