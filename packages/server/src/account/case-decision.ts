import { LABEL_SUBJECTS } from '@inkling/contract'
import type { CaseDecision, DomainRight } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { type CaseRow, caseStore, type StoredOutcome } from '../store/cases/cases.ts'
import { labelStore } from '../store/labels/labels.ts'
import { listStore } from '../store/lists/list-entries.ts'
import type { Schema } from '../store/schema.ts'
import { type CaseActor, mayOpenAgain } from './case-change.ts'

/** Where labels of people in the dashboard come from. */
const SOURCE = 'dashboard'

/**
 * Decides a case and closes it, with its label and its entry of a list. Needs a transaction.
 * @throws AppError `INK_CASE_STATE` for a closed case, `INK_INVALID_FIELD` where the subject can have no such entry
 */
export async function decideCase(
  transaction: Kysely<Schema>,
  row: CaseRow,
  { action, note, label, list }: z.output<typeof CaseDecision>,
  { author, nowMs }: CaseActor,
): Promise<CaseRow | undefined> {
  if (row.status === 'closed') throw new AppError('INK_CASE_STATE', 'the case is closed')
  const by = { author, nowMs }
  const outcome: StoredOutcome = {
    action,
    label: label ?? null,
    list: list ?? null,
    labelId: label === undefined ? null : await addLabel(transaction, row, label, by),
    ...(list === undefined ? { entryId: null } : await addEntry(transaction, row, list, by)),
  }
  const cases = caseStore(transaction)
  await cases.addEvent(row.domain_id, row.id, {
    kind: 'decision',
    atMs: nowMs,
    author,
    body: { text: note, outcome },
  })
  return cases.change(row.domain_id, row.id, {
    status: 'closed',
    outcome: action,
    closed_at: nowMs,
    changed_at: nowMs,
  })
}

/** @returns its number, or null if there was such a label */
async function addLabel(
  transaction: Kysely<Schema>,
  { domain_id, number, subject_type, subject_value }: CaseRow,
  kind: string,
  by: CaseActor,
): Promise<number | null> {
  const type = LABEL_SUBJECTS.find((known) => known === subject_type)
  if (!type) throw new AppError('INK_INVALID_FIELD', `label: a ${subject_type} has no labels`)
  const store = labelStore(transaction)
  const known = await store.about(domain_id, type, [subject_value])
  if (known.some((label) => label.kind === kind && label.source === SOURCE)) return null
  const label = {
    kind,
    subject: { type, value: subject_value },
    source: SOURCE,
    atMs: by.nowMs,
    note: `Case ${number}`,
  }
  const { labels } = await store.save(domain_id, [label], by)
  return labels[0]?.id ?? null
}

/** Adds an entry without an end, unless there is one. */
async function addEntry(
  transaction: Kysely<Schema>,
  { domain_id, number, subject_type: kind, subject_value: value }: CaseRow,
  list: NonNullable<StoredOutcome['list']>,
  by: CaseActor,
): Promise<Pick<StoredOutcome, 'entryId' | 'entryBefore'>> {
  if (kind === 'finding') throw new AppError('INK_INVALID_FIELD', 'list: a finding has no entries')
  const lists = listStore(transaction)
  const entry = {
    list,
    // The subjects of cases but findings are kinds of entries.
    kind: kind as Parameters<typeof lists.about>[1],
    value,
    reason: `Case ${number}`,
    expiresAtMs: undefined,
  }
  const known = await lists.about(domain_id, entry.kind, [value])
  const before = known.find((one) => one.list === list)
  if (before && before.expires_at === null) return { entryId: null }
  await lists.save(domain_id, [entry], by)
  const [newest] = await lists.page(domain_id, {}, { limit: 1 })
  const isInForce = before && before.expires_at !== null && before.expires_at > by.nowMs
  return {
    entryId: newest?.id ?? null,
    entryBefore: isInForce ? { reason: before.reason, expiresAtMs: Number(before.expires_at) } : undefined,
  }
}

/**
 * Opens a decided case again and removes the label and the entry that its decision added. Needs a transaction.
 * @throws AppError `INK_CASE_STATE` without such a decision, `INK_ROLE` where there is something to remove that they may not
 */
export async function takeDecisionBack(
  transaction: Kysely<Schema>,
  row: CaseRow,
  { author, nowMs, rights }: CaseActor & { rights: ReadonlySet<DomainRight> },
): Promise<CaseRow | undefined> {
  const { domain_id } = row
  const cases = caseStore(transaction)
  const last = await cases.lastDecision(domain_id, row.id)
  if (row.status !== 'closed' || row.outcome === null || last?.kind !== 'decision')
    throw new AppError('INK_CASE_STATE', 'there is no decision to take back')
  await mayOpenAgain(transaction, row)
  const { outcome } = JSON.parse(last.body) as { outcome: StoredOutcome }
  // What a request removes depends on the case, so this cannot be checked where requests are admitted.
  const mayRemove =
    (outcome.labelId === null || rights.has('labels:write')) &&
    (outcome.entryId === null || rights.has('case-lists:write'))
  if (!mayRemove) throw new AppError('INK_ROLE')
  if (outcome.labelId !== null) await labelStore(transaction).remove(domain_id, outcome.labelId)
  if (outcome.entryId !== null) {
    const lists = listStore(transaction)
    const entry = await lists.remove(domain_id, outcome.entryId)
    if (entry && outcome.list && outcome.entryBefore) {
      const kind = entry.kind as Parameters<typeof lists.about>[1]
      const before = { list: outcome.list, kind, value: entry.value, ...outcome.entryBefore }
      await lists.save(domain_id, [before], { author, nowMs })
    }
  }
  await cases.addEvent(domain_id, row.id, { kind: 'undo', atMs: nowMs, author, body: {} })
  return cases.change(domain_id, row.id, {
    status: 'in_progress',
    outcome: null,
    closed_at: null,
    changed_at: nowMs,
  })
}
