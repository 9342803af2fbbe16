import type { Generated } from 'kysely'

// Tables of what the jobs make of visits: roll-ups and findings.

/** How often a value of a dimension occurred in an hour or a day. No row contains an identifier. */
export interface RollupTable {
  domain_id: number
  /** 1 or 24. */
  span_hours: number
  /** A name of `ROLLUP_DIMENSIONS`. */
  dimension: string
  /** Start of the hour or day, in UTC. */
  start: number
  /** The column's value, '' for NULL. For `device` and `visitor` the time of their previous visit. */
  value: string
  identifications: number
  /** Those with a score: all but the ones over the ingest limit. */
  scored: number
  score_sum: number
  /** Points that a signal added; 0 in other dimensions. */
  points_sum: number
}

/** One row. */
export interface RollupProgressTable {
  id: number
  /** The last identification that is counted. */
  last_id: number
  /** Incremented by each removal of identifications that are not counted yet. */
  removals: number
  /** When counted rows last changed; null once they are counted again. */
  changing_at: number | null
}

/** One pattern on one entity; the row stays the same while its grade changes. */
export interface PatternFindingTable {
  id: Generated<number>
  domain_id: number
  pattern: string
  entity_type: string
  /** In the form of the API. */
  entity_value: string
  /** The last grade, once resolved. */
  grade: 'suspicious' | 'dangerous'
  count: number
  /** Thresholds of the grades for the average score at that time. */
  suspicious_from: number
  dangerous_from: number
  average_score: number
  /** Times of the first and the last identification in evidence. */
  first_at: number
  last_at: number
  judged_at: number
  /** When it is due to be judged again without new rows; NULL once resolved. */
  recheck_at: number | null
  resolved_at: number | null
}

/** The identifications that are a finding's evidence; erasing all of them removes the finding. */
export interface PatternRowTable {
  domain_id: number
  finding_id: number
  identification_id: number
}

/** One row: the last identification in which patterns were searched. */
export interface PatternCursorTable {
  id: number
  identification_id: number
}

/** At most one row, made when the change feed is first switched on: see `change-feed/change-feed.ts`. */
export interface ChangeFeedTable {
  id: number
  /** Identifications and decisions up to these numbers are in it. */
  identification_id: number
  decision_id: number
  /** The last sequence number that may be in use. */
  sequence: number
  /** When a run last began; NULL once the feed was off for so long that it begins again with the oldest row. */
  written_at: number | null
}

/** A row that changed, or was erased, when the change feed may have passed it. */
export interface LateChangeTable {
  domain_id: number
  kind: 'identification' | 'decision' | 'removal'
  /** 0 for a removal. */
  row_id: number
  /** Tells one change of a row from the next; 0 for a removal. */
  ver: number
  /** The key of what was erased; empty for a row that changed. */
  key: string
}
