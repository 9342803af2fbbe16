import type { PatternEntity, PatternName } from '@inkling/contract'
import type { PatternFinding } from '@inkling/contract/account'
import type { FindingRow } from '../../store/findings/findings.ts'
import { presentTime } from '../present-time.ts'

export const presentFinding = (row: FindingRow): PatternFinding => ({
  id: row.id,
  // Written from the table of patterns, and from nowhere else.
  pattern: row.pattern as PatternName,
  entity_type: row.entity_type as PatternEntity,
  entity_value: row.entity_value,
  grade: row.grade,
  count: row.count,
  suspicious_from: row.suspicious_from,
  dangerous_from: row.dangerous_from,
  average_score: row.average_score,
  first_at: presentTime(row.first_at),
  last_at: presentTime(row.last_at),
  judged_at: presentTime(row.judged_at),
  resolved_at: row.resolved_at === null ? null : presentTime(row.resolved_at),
})
