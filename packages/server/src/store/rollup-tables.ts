/** Counts that stand for identifications. They name nobody: what tells people apart is never in them. */
export interface RollupTables {
  rollups: RollupTable
  rollup_progress: RollupProgressTable
}

/** How often a value of a dimension occurred in an hour or a day. */
export interface RollupTable {
  domain_id: number
  /** 1 or 24. */
  span_hours: number
  /** A `ROLLUP_DIMENSIONS` name. */
  dimension: string
  /** Beginning of the hour or the day, in UTC. */
  start: number
  /**
   * As in the row; empty for the row's empty value. Of `device` and `visitor`: when the same one was here before,
   * as `rollup-contributions.ts` tells.
   */
  value: string
  identifications: number
  /** Those that have a score: all but the ones over the ingest limit. */
  scored: number
  score_sum: number
  /** What a signal added to scores; 0 of everything else. */
  points_sum: number
}

/** One row. */
export interface RollupProgressTable {
  id: number
  /** The last identification that is counted. */
  last_id: number
  /** Grows with each removal that touches identifications which are yet to be counted. */
  removals: number
}
