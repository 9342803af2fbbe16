import { presentTime } from '@inkling/contract'
import type { CaseChange } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { caseWorkers } from '../auth/domain-roles.ts'
import { AppError } from '../lib/errors.ts'
import { type CaseRow, type CaseRowChange, caseStore } from '../store/cases/cases.ts'
import type { Schema } from '../store/schema.ts'

export interface CaseActor {
  author: string
  nowMs: number
}

/**
 * Changes a case and notes it in its timeline. Needs a transaction.
 * @returns undefined if there is nothing to change
 * @throws AppError `INK_NOT_FOUND` for a case that is not there, `INK_INVALID_FIELD` for an assignee who cannot work on it,
 * `INK_CASE_STATE` if its subject has another open case
 */
export async function changeCaseRow(
  transaction: Kysely<Schema>,
  domainId: number,
  number: number,
  body: z.output<typeof CaseChange>,
  { author, nowMs }: CaseActor,
): Promise<CaseRow | undefined> {
  const cases = caseStore(transaction)
  const row = await cases.find(domainId, number)
  if (!row) throw new AppError('INK_NOT_FOUND', `no such case: ${number}`)
  const { assignee } = body
  if (assignee && !(await caseWorkers(transaction, domainId)).includes(assignee))
    throw new AppError('INK_INVALID_FIELD', 'assignee: nobody with this e-mail address works on cases here')
  const wanted: CaseRowChange = {
    ...(body.status !== undefined && { status: body.status }),
    ...(body.priority !== undefined && { priority: body.priority }),
    ...(assignee !== undefined && { assignee }),
    ...(body.due_at !== undefined && { due_at: Date.parse(body.due_at) }),
    ...(body.title !== undefined && { title: body.title }),
  }
  const differing = Object.entries(wanted).filter(([field, value]) => row[field as keyof CaseRow] !== value)
  if (differing.length === 0) return undefined
  if (row.status === 'closed' && wanted.status !== undefined && wanted.status !== 'closed') {
    // Its label and its entry would stay, and nothing could take them back.
    if (row.outcome !== null)
      throw new AppError('INK_CASE_STATE', 'the case is decided: take the decision back')
    await mayOpenAgain(transaction, row)
  }
  const changed = await cases.change(domainId, row.id, {
    ...wanted,
    ...(wanted.status !== undefined && wanted.status !== row.status && closing(wanted.status, nowMs)),
    changed_at: nowMs,
  })
  const changes = Object.fromEntries(
    differing.map(([field, value]) => [field, field === 'due_at' ? presentTime(Number(value)) : value]),
  )
  await cases.addEvent(domainId, row.id, { kind: 'change', atMs: nowMs, author, body: { changes } })
  return changed
}

const closing = (status: string, nowMs: number): CaseRowChange => ({
  closed_at: status === 'closed' ? nowMs : null,
})

/** @throws AppError `INK_CASE_STATE` */
export async function mayOpenAgain(
  transaction: Kysely<Schema>,
  { domain_id, subject_type, subject_value }: CaseRow,
): Promise<void> {
  const other = await caseStore(transaction).findOpen(domain_id, subject_type, subject_value)
  if (other)
    throw new AppError('INK_CASE_STATE', `case ${other.number} about the same subject is open: use that`)
}
