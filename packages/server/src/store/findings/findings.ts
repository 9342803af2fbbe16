import type { Kysely, Selectable } from 'kysely'
import type { PatternFindingTable } from '../count-tables.ts'
import { engineSql } from '../engine-sql.ts'
import { CLOCK_SKEW_MS } from '../identifications/id-range.ts'
import type { IdentificationRow } from '../identifications/identifications.ts'
import type { Schema } from '../schema.ts'
import type { PatternEntityKey } from './pattern-input.ts'

export type FindingRow = Selectable<PatternFindingTable>

/** The current result of a pattern on an entity. */
export interface FoundPattern
  extends Pick<
    FindingRow,
    'grade' | 'count' | 'suspicious_from' | 'dangerous_from' | 'average_score' | 'first_at' | 'last_at'
  > {
  /** The identifications in evidence. */
  rowIds: readonly number[]
}

/** A change to a finding. `before` is undefined or resolved if it is new; `after` is resolved if it ended. */
export interface FindingChange {
  before: FindingRow | undefined
  after: FindingRow
}

/** Open findings are judged again this often, because rows leave the time window without new visits. */
const RECHECK_MS = 3_600_000

/**
 * Stores the result of a pattern on an entity. Needs a transaction: of two processes that judge the same entity, one
 * creates the finding and only one sees its grade change.
 * @param found undefined if the pattern does not apply
 * @returns undefined if nothing changed
 */
export async function recordFinding(
  transaction: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
  pattern: string,
  found: FoundPattern | undefined,
  nowMs: number,
): Promise<FindingChange | undefined> {
  const key = { domain_id: domainId, entity_type: type, entity_value: value, pattern }
  const before = await findFinding(transaction, key)
  // Another process has judged newer rows since, unless its clock was ahead.
  if (before && before.judged_at > nowMs && before.judged_at <= nowMs + CLOCK_SKEW_MS) return undefined
  if (!found) {
    if (!before || before.resolved_at !== null) return undefined
    const ended = { resolved_at: nowMs, judged_at: nowMs, recheck_at: null }
    return { before, after: await update(transaction, before, ended) }
  }
  const { rowIds, ...columns } = found
  if (!(await exist(transaction, domainId, rowIds))) return undefined
  const now = { ...columns, judged_at: nowMs, recheck_at: nowMs + RECHECK_MS, resolved_at: null }
  const after = before
    ? await update(transaction, before, now)
    : await transaction
        .insertInto('pattern_findings')
        .values({ ...key, ...now })
        .returningAll()
        .executeTakeFirstOrThrow()
  await replaceRows(transaction, after, rowIds)
  return { before, after }
}

const findFinding = (
  db: Kysely<Schema>,
  key: Pick<FindingRow, 'domain_id' | 'entity_type' | 'entity_value' | 'pattern'>,
): Promise<FindingRow | undefined> =>
  db
    .selectFrom('pattern_findings')
    .selectAll()
    .where('domain_id', '=', key.domain_id)
    .where('entity_type', '=', key.entity_type)
    .where('entity_value', '=', key.entity_value)
    .where('pattern', '=', key.pattern)
    .executeTakeFirst()

const update = (
  db: Kysely<Schema>,
  { domain_id, id }: FindingRow,
  change: Partial<FindingRow>,
): Promise<FindingRow> =>
  db
    .updateTable('pattern_findings')
    .set(change)
    .where('domain_id', '=', domain_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

async function replaceRows(
  transaction: Kysely<Schema>,
  { id, domain_id }: FindingRow,
  rowIds: readonly number[],
): Promise<void> {
  await transaction
    .deleteFrom('pattern_rows')
    .where('domain_id', '=', domain_id)
    .where('finding_id', '=', id)
    .execute()
  await transaction
    .insertInto('pattern_rows')
    .values(rowIds.map((identification_id) => ({ domain_id, finding_id: id, identification_id })))
    .execute()
}

/** Rows erased between reading and writing must not reappear; the next run judges the remaining ones. */
async function exist(db: Kysely<Schema>, domainId: number, ids: readonly number[]): Promise<boolean> {
  const { count } = await db
    .selectFrom('identifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(engineSql(db).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(count) === ids.length
}

/** Open findings that are due to be judged again, the most overdue first. A clock that was ahead set a later time than any. */
export const findingsToRecheck = (db: Kysely<Schema>, nowMs: number, limit: number): Promise<FindingRow[]> =>
  db
    .selectFrom('pattern_findings')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('recheck_at', '<=', nowMs), eb('recheck_at', '>', nowMs + RECHECK_MS + CLOCK_SKEW_MS)]),
    )
    .orderBy('recheck_at')
    .limit(limit)
    .execute()

/** Open findings on an entity. */
export const openFindings = (
  db: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
): Promise<FindingRow[]> =>
  db
    .selectFrom('pattern_findings')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('entity_type', '=', type)
    .where('entity_value', '=', value)
    .where('resolved_at', 'is', null)
    .execute()

const FINDINGS_OF_ROWS_MAX = 50

/** Open findings that have any of these identifications in their evidence, newest first. */
export const findingsOfRows = async (
  db: Kysely<Schema>,
  domainId: number,
  identificationIds: readonly number[],
): Promise<FindingRow[]> => {
  if (identificationIds.length === 0) return []
  return db
    .selectFrom('pattern_findings')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('resolved_at', 'is', null)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('pattern_rows')
        .select('finding_id')
        .where('domain_id', '=', domainId)
        .where('identification_id', 'in', identificationIds),
    )
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(FINDINGS_OF_ROWS_MAX)
    .execute()
}

/** Conditions on findings; an undefined criterion is no condition. */
export interface FindingCriteria {
  pattern?: string | undefined
  grade?: FindingRow['grade'] | undefined
  /** Whether the finding is open. */
  open?: boolean | undefined
  entityType?: string | undefined
  entityValue?: string | undefined
}

/** `last_at` and `id` of the last finding on a page. */
export type FindingPosition = readonly [lastAt: number, id: number]

/** A page of a domain's findings, newest first. */
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

/** The identifications in a finding's evidence, newest first. */
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
    .where(engineSql(db).besideIds('identifications.domain_id'), '=', domain_id)
    .orderBy('identifications.created_at', 'desc')
    .orderBy('identifications.id', 'desc')
    .execute()
