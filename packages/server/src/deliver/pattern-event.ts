import { type PatternChange, type PatternChanged, SCHEMA_VERSION } from '@inkling/contract'
import type { FindingChange, FindingRow } from '../store/pattern-findings.ts'
import { eventJson, eventTime } from './event-json.ts'

export interface PatternEventStamp {
  domain: string
  eventId: string
  createdAtMs: number
}

/** `pattern.changed` as it is sent. */
export function patternEvent(
  { before, after }: FindingChange,
  { domain, eventId, createdAtMs }: PatternEventStamp,
): Uint8Array {
  const event: PatternChanged = {
    event_type: 'pattern.changed',
    schema_version: SCHEMA_VERSION,
    event_id: eventId,
    created_at: eventTime(createdAtMs),
    data: {
      finding_id: after.id,
      domain,
      pattern: after.pattern,
      entity_type: after.entity_type,
      entity_value: after.entity_value,
      change: changeOf(before, after) ?? 'new',
      grade: gradeOf(after) ?? null,
      previous_grade: gradeOf(before) ?? null,
      count: after.count,
      suspicious_from: after.suspicious_from,
      dangerous_from: after.dangerous_from,
      average_score: after.average_score,
      first_at: eventTime(after.first_at),
      last_at: eventTime(after.last_at),
    },
  }
  return eventJson(event)
}

/** What happened to the grade; undefined when it stayed. */
export function changeOf(before: FindingRow | undefined, after: FindingRow): PatternChange | undefined {
  const was = gradeOf(before)
  const is = gradeOf(after)
  if (was === is) return undefined
  if (was === undefined) return 'new'
  if (is === undefined) return 'resolved'
  return is === 'dangerous' ? 'raised' : 'lowered'
}

const gradeOf = (finding: FindingRow | undefined): FindingRow['grade'] | undefined =>
  finding && finding.resolved_at === null ? finding.grade : undefined
