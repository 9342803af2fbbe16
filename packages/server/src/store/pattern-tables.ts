import type { Generated } from 'kysely'

/** What the abuse patterns found. */
export interface PatternTables {
  pattern_findings: PatternFindingTable
  pattern_rows: PatternRowTable
  pattern_cursor: PatternCursorTable
}

/** One pattern on one entity; the same row through all of its grades. */
export interface PatternFindingTable {
  id: Generated<number>
  domain_id: number
  pattern: string
  entity_type: string
  /** As the wire has it. */
  entity_value: string
  /** The last one, when it no longer holds. */
  grade: 'suspicious' | 'dangerous'
  count: number
  /** Counts at which the grades began, for the average score at that time. */
  suspicious_from: number
  dangerous_from: number
  average_score: number
  /** Times of the rows that made it. */
  first_at: number
  last_at: number
  judged_at: number
  /** When it is looked at again without new rows; NULL when it no longer holds. */
  recheck_at: number | null
  resolved_at: number | null
}

/** The identifications that made a finding: they are its whole evidence, so that erasing them leaves none. */
export interface PatternRowTable {
  domain_id: number
  finding_id: number
  identification_id: number
}

/** Up to which identification the patterns were looked for. */
export interface PatternCursorTable {
  id: number
  identification_id: number
}
