import { namesAccount, StoredDecision } from '@inkling/contract'
import type { CaseSubject } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../lib/durations.ts'
import { caseStore } from '../../store/cases/cases.ts'
import type { DecisionRow } from '../../store/decisions/decisions.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { readVerdict } from '../../store/identifications/identification-row.ts'
import { subjectsOf } from '../../store/labels/labels-of.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** Small, so that concurrent identifications wait only briefly. */
const RUN_MAX = 50
/**
 * On PostgreSQL a decision with a lower number may be committed after one with a higher number. So decisions are read
 * again until they are this old, and those that a case has are passed over.
 */
const SETTLED_MS = 30_000

/**
 * Opens a case for each decision `review`, or counts it in the open case of its subject. It reads what is stored, so that
 * no answer waits for it or fails by it, and continues after a restart where it was.
 */
export async function openReviewCases(
  store: Pick<Store, 'jobReads' | 'writes'>,
  { nowMs, stopped = () => false }: { nowMs: number; stopped?: () => boolean },
): Promise<void> {
  let settled = await readCursor(store.jobReads)
  const began = settled
  let isSettled = true
  for (let after = settled; !stopped(); ) {
    const rows = await store.jobReads
      .selectFrom('decisions')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(RUN_MAX)
      .execute()
    const reviews = rows.filter(({ action }) => action === 'review')
    if (reviews.length > 0)
      await store.writes.transaction().execute(async (transaction) => {
        for (const decision of reviews) await recordReview(transaction, decision, nowMs)
      })
    for (const { id, decided_at } of rows) {
      isSettled &&= decided_at < nowMs - SETTLED_MS
      if (isSettled) settled = id
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < RUN_MAX) break
  }
  if (settled > began) await store.writes.updateTable('case_cursor').set({ decision_id: settled }).execute()
}

async function readCursor(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('case_cursor').select('decision_id').executeTakeFirst()
  return row?.decision_id ?? 0
}

async function recordReview(
  transaction: Kysely<Schema>,
  decision: DecisionRow,
  nowMs: number,
): Promise<void> {
  const { domain_id, request_id, decided_at } = decision
  const reference = `decision:${decision.id}`
  const known = await transaction
    .selectFrom('case_events')
    .select('id')
    .where('domain_id', '=', domain_id)
    .where('reference', '=', reference)
    .where('kind', '=', 'review')
    .executeTakeFirst()
  if (known) return
  const domain = await domainStore(transaction).findById(domain_id)
  if (domain?.review_cases !== 1) return
  const subject = await subjectOf(transaction, decision)
  if (!subject) return
  const cases = caseStore(transaction)
  const author = 'server'
  const opened = await cases.add({
    domain_id,
    title: `Review asked for at ${decision.purpose}`,
    subject_type: subject.type,
    subject_value: subject.value,
    source: 'rule',
    status: 'open',
    priority: 'normal',
    assignee: null,
    due_at: decided_at + domain.review_hours * HOUR_MS,
    reviews: 1,
    outcome: null,
    opened_by: author,
    opened_at: nowMs,
    changed_at: nowMs,
    closed_at: null,
  })
  const standing = opened ?? (await cases.findOpen(domain_id, subject.type, subject.value))
  if (!standing) return
  if (!opened)
    await cases.change(domain_id, standing.id, { reviews: standing.reviews + 1, changed_at: nowMs })
  const body = { decision: StoredDecision.parse({ ...JSON.parse(decision.answer), changed: null }) }
  await cases.addEvent(domain_id, standing.id, {
    kind: 'review',
    atMs: decided_at,
    author,
    requestId: request_id,
    reference,
    body,
  })
}

/** From what is one person's to what several may share. */
const SUBJECTS = [
  'account',
  'device',
  'visitor',
  'cookie',
  'address',
] as const satisfies readonly CaseSubject[]

/** Undefined for a visit that is gone, and for one that has nothing to be known by. */
async function subjectOf(
  transaction: Kysely<Schema>,
  { domain_id, request_id, account }: DecisionRow,
): Promise<{ type: CaseSubject; value: string } | undefined> {
  const row = await transaction
    .selectFrom('identifications')
    .selectAll()
    .where('domain_id', '=', domain_id)
    .where('request_id', '=', request_id)
    .executeTakeFirst()
  if (!row) return undefined
  if (account !== null && namesAccount(account)) return { type: 'account', value: account }
  const subjects = subjectsOf(row)
  // Anybody can claim an account where the customer signs them.
  const { account: proof } = readVerdict(row.verdict)
  if (proof === 'claimed' || proof === 'invalid') subjects.delete('account')
  for (const type of SUBJECTS) {
    const value = subjects.get(type)
    if (value !== undefined) return { type, value }
  }
  return undefined
}
