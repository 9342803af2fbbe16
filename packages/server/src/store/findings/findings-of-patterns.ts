import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { FindingRow } from './findings.ts'

/** An index has findings by time, not by pattern; so many of them are read. */
const FINDINGS_READ_MAX = 1_000

/** Findings of any of these patterns among the newest, newest first. */
export function newestOfPatterns(
  db: Kysely<Schema>,
  domainId: number,
  patterns: readonly string[],
  limit: number,
): Promise<FindingRow[]> {
  if (patterns.length === 0) return Promise.resolve([])
  const newest = db
    .selectFrom('pattern_findings')
    .selectAll()
    .where('domain_id', '=', domainId)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(FINDINGS_READ_MAX)
  return db
    .selectFrom(newest.as('newest'))
    .selectAll()
    .where('pattern', 'in', patterns)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
