import { presentTime } from '@inkling/contract'
import type { Case, CaseDetail, CaseEvent } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import { type CaseEventRow, type CaseRow, caseStore } from '../store/cases/cases.ts'
import type { Schema } from '../store/schema.ts'

/** @throws AppError `INK_NOT_FOUND` */
export async function readCaseDetail(
  db: Kysely<Schema>,
  domainId: number,
  number: number,
): Promise<CaseDetail> {
  const cases = caseStore(db)
  const row = await cases.find(domainId, number)
  if (!row) throw new AppError('INK_NOT_FOUND', 'no such case')
  const [events, last] = await Promise.all([
    cases.events(domainId, row.id),
    cases.lastDecision(domainId, row.id),
  ])
  return {
    case: presentCase(row),
    events: events.map(presentEvent),
    undoable: row.status === 'closed' && row.outcome !== null && last?.kind === 'decision',
  }
}

export const presentCase = (row: CaseRow): Case => ({
  number: row.number,
  title: row.title,
  // The store has text; only the account API and the job of reviews write it.
  subject: { type: row.subject_type as Case['subject']['type'], value: row.subject_value },
  source: row.source as Case['source'],
  status: row.status as Case['status'],
  priority: row.priority as Case['priority'],
  assignee: row.assignee,
  due_at: presentTime(row.due_at),
  reviews: row.reviews,
  outcome: row.outcome as Case['outcome'],
  opened_by: row.opened_by,
  opened_at: presentTime(row.opened_at),
  changed_at: presentTime(row.changed_at),
  closed_at: row.closed_at === null ? null : presentTime(row.closed_at),
})

function presentEvent({ id, kind, at, author, body }: CaseEventRow): CaseEvent {
  const { text = '', mentions, changes, identification, finding, decision, outcome } = JSON.parse(body)
  return {
    id,
    kind: kind as CaseEvent['kind'],
    at: presentTime(at),
    author,
    text,
    ...(mentions && { mentions }),
    ...(changes && { changes }),
    ...(identification && { identification }),
    ...(finding && { finding }),
    ...(decision && { decision }),
    ...(outcome && { outcome: { action: outcome.action, label: outcome.label, list: outcome.list } }),
  }
}
