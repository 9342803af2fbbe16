import type { Kysely } from 'kysely'
import type { IdentificationRow } from './identifications.ts'
import type { FindingRow } from './pattern-findings.ts'
import type { Schema } from './schema.ts'

/** What findings must be like; a criterion that is undefined asks for nothing. */
export interface FindingCriteria {
  pattern?: string | undefined
  grade?: FindingRow['grade'] | undefined
  /** Whether it holds now. */
  open?: boolean | undefined
  entityType?: string | undefined
  entityValue?: string | undefined
}

/** `last_at` and `id` of the last finding of a page. */
export type FindingPosition = readonly [lastAt: number, id: number]

/** Findings of a domain, newest first. */
export async function listFindings(
  db: Kysely<Schema>,
  domainId: number,
  { pattern, grade, open, entityType, entityValue }: FindingCriteria,
  after: FindingPosition | undefined,
  limit: number,
): Promise<FindingRow[]> {
  let findings = db.selectFrom('pattern_findings').selectAll().where('domain_id', '=', domainId)
  if (pattern !== undefined) findings = findings.where('pattern', '=', pattern)
  if (grade !== undefined) findings = findings.where('grade', '=', grade)
  if (open !== undefined) findings = findings.where('resolved_at', open ? 'is' : 'is not', null)
  if (entityType !== undefined) findings = findings.where('entity_type', '=', entityType)
  if (entityValue !== undefined) findings = findings.where('entity_value', '=', entityValue)
  if (after)
    findings = findings.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('last_at', 'id'), '<', tuple(after[0], after[1])),
    )
  return findings.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export const getFinding = (
  db: Kysely<Schema>,
  domainId: number,
  id: number,
): Promise<FindingRow | undefined> =>
  db
    .selectFrom('pattern_findings')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The identifications that made a finding, newest first. */
export const findingRows = (
  db: Kysely<Schema>,
  { domain_id, id }: Pick<FindingRow, 'domain_id' | 'id'>,
): Promise<IdentificationRow[]> =>
  db
    .selectFrom('pattern_rows')
    .innerJoin('identifications', 'identifications.id', 'pattern_rows.identification_id')
    .selectAll('identifications')
    .where('pattern_rows.domain_id', '=', domain_id)
    .where('pattern_rows.finding_id', '=', id)
    .orderBy('identifications.created_at', 'desc')
    .orderBy('identifications.id', 'desc')
    .execute()
