import type { Kysely } from 'kysely'
import { type UuidBytes, uuidBytesOrNil, uuidV5 } from '../../lib/uuid.ts'
import { forgetCases } from '../cases/forget-cases.ts'
import { engineSql } from '../engine-sql.ts'
import { forgetCopies } from '../erasure/forget-copies.ts'
import type { Schema } from '../schema.ts'
import type { PatternEntityKey } from './pattern-input.ts'

/** Namespace of the UUIDs that identify findings where the outbox has a request ID. */
const FINDINGS = '6c0f1e57-3a52-4b0e-9d0b-5b1a8e0f7c2d'

/** The `request_id` of a finding's events in the outbox and in the log of deliveries. */
export const findingEventsId = (findingId: number): UuidBytes =>
  uuidBytesOrNil(uuidV5(FINDINGS, String(findingId)))

/** Removes identifications from findings. Findings without rows are removed, the others are judged again. */
export async function forgetFindingRows(
  transaction: Kysely<Schema>,
  domainId: number,
  identificationIds: readonly number[],
): Promise<void> {
  const touched = await transaction
    .deleteFrom('pattern_rows')
    .where('domain_id', '=', domainId)
    .where('identification_id', 'in', identificationIds)
    .returning('finding_id')
    .execute()
  const findingIds = [...new Set(touched.map(({ finding_id }) => finding_id))]
  if (findingIds.length === 0) return
  const left = await transaction
    .selectFrom('pattern_rows')
    .select('finding_id')
    .distinct()
    .where('domain_id', '=', domainId)
    .where('finding_id', 'in', findingIds)
    .execute()
  const remaining = left.map(({ finding_id }) => finding_id)
  if (remaining.length > 0)
    await transaction
      .updateTable('pattern_findings')
      .set({ recheck_at: 0 })
      .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
      .where('id', 'in', remaining)
      .where('resolved_at', 'is', null)
      .execute()
  await removeFindings(
    transaction,
    domainId,
    findingIds.filter((id) => !remaining.includes(id)),
  )
}

/** Removes the findings on an entity with their events and cases. */
export async function forgetEntity(
  transaction: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
): Promise<void> {
  const found = await transaction
    .selectFrom('pattern_findings')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('entity_type', '=', type)
    .where('entity_value', '=', value)
    .execute()
  await removeFindings(
    transaction,
    domainId,
    found.map(({ id }) => id),
  )
}

async function removeFindings(
  transaction: Kysely<Schema>,
  domainId: number,
  findingIds: readonly number[],
): Promise<void> {
  if (findingIds.length === 0) return
  await transaction
    .deleteFrom('pattern_rows')
    .where('domain_id', '=', domainId)
    .where('finding_id', 'in', findingIds)
    .execute()
  await transaction
    .deleteFrom('pattern_findings')
    .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', findingIds)
    .execute()
  await forgetCases(transaction, domainId, 'finding', findingIds.map(String))
  await forgetCopies(transaction, domainId, 'finding', findingIds)
  for (const table of ['outbox', 'deliveries'] as const)
    await transaction
      .deleteFrom(table)
      .where('domain_id', '=', domainId)
      .where('request_id', 'in', findingIds.map(findingEventsId))
      .execute()
}
