import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { changeOf, patternEvent } from '../../deliver/webhook-events.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import {
  type FindingChange,
  type FoundPattern,
  openFindings,
  recordFinding,
} from '../../store/findings/findings.ts'
import { findingEventsId } from '../../store/findings/forget-findings.ts'
import type { PatternEntityKey } from '../../store/findings/pattern-input.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { recordFindingAlerts } from '../alerts/finding-alerts.ts'
import { readEntityRows, readHomeDevices } from './entity-rows.ts'
import { type GradedPattern, gradePattern, PATTERNS } from './patterns.ts'

/**
 * Grades every pattern of the entity's type and stores the result.
 * @returns how many grades changed
 */
export async function updateFindings(store: Store, key: PatternEntityKey, nowMs: number): Promise<number> {
  const rows = await readEntityRows(store.jobReads, key, nowMs)
  const homeDeviceOf = await readHomeDevices(store.jobReads, key, rows, nowMs)
  const open = new Set((await openFindings(store.jobReads, key)).map(({ pattern }) => pattern))
  let changes = 0
  for (const pattern of PATTERNS.filter(({ entity }) => entity === key.type)) {
    const graded = gradePattern(pattern, rows, homeDeviceOf, nowMs)
    if (!graded && !open.has(pattern.name)) continue
    const changed = await store.writes.transaction().execute(async (transaction) => {
      const change = await recordFinding(
        transaction,
        key,
        pattern.name,
        graded && foundPattern(graded),
        nowMs,
      )
      if (!change || changeOf(change.before, change.after) === undefined) return false
      await enqueueEvents(transaction, change, nowMs)
      await recordFindingAlerts(transaction, change, nowMs)
      return true
    })
    if (changed) changes += 1
  }
  return changes
}

const foundPattern = (graded: GradedPattern): FoundPattern => ({
  grade: graded.grade,
  count: graded.count,
  suspicious_from: graded.suspiciousFrom,
  dangerous_from: graded.dangerousFrom,
  average_score: graded.averageScore,
  first_at: graded.firstAtMs,
  last_at: graded.lastAtMs,
  rowIds: graded.rowIds,
})

/** Adds an event for each endpoint that subscribed, in the transaction that changes the grade. */
async function enqueueEvents(
  transaction: Kysely<Schema>,
  change: FindingChange,
  nowMs: number,
): Promise<void> {
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
        // Due at once, so the next sweep of any process claims it.
        due_at: nowMs,
      })
      .execute()
}
