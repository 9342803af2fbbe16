import { namesAccount, StoredDecision } from '@inkling/contract'
import type { CaseSubject } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../lib/durations.ts'
import { caseStore } from '../../store/cases/cases.ts'
import type { DecisionRow } from '../../store/decisions/decisions.ts'
import { nextDecisions } from '../../store/decisions/next-decisions.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { readVerdict } from '../../store/identifications/identification-row.ts'
import { subjectsOf } from '../../store/labels/labels-of.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** Of a domain, by reviews: whoever invents accounts must not fill the database. More than anybody works through. */
const OPEN_MAX = 10_000
/** Small, so that concurrent identifications wait only briefly. */
const RUN_MAX = 50
/** The embedded database gives the number of a newest decision that was erased to the next one. */
const REUSED_WITHIN_MS = 600_000
/** Of a page. */
const ROWS_MAX = 200

interface ReviewOptions {
  nowMs: number
  warn(message: string, error: unknown): void
  openMax?: number
  stopped?: () => boolean
}

/**
 * Opens a case for each decision `review`, or counts it in the open case of its subject. It reads what is stored, so that
 * no answer waits for it or fails by it, and continues after a restart where it was.
 */
export async function openReviewCases(
  store: Pick<Store, 'engine' | 'jobReads' | 'writes' | 'areCommitsEnded'>,
  { nowMs, warn, openMax = OPEN_MAX, stopped = () => false }: ReviewOptions,
): Promise<void> {
  const cursor = await store.jobReads.selectFrom('case_cursor').select('decision_id').executeTakeFirst()
  const began = cursor?.decision_id ?? 0
  const next = await nextDecisions(store, began, nowMs)
  if (!next) return
  for (let { after } = next; !stopped(); ) {
    const rows = await store.jobReads
      .selectFrom('decisions')
      .select(['id', 'action', 'decided_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_MAX)
      .execute()
    const reviews = rows.filter(
      ({ id, action, decided_at }) =>
        action === 'review' && (id > began || decided_at >= nowMs - REUSED_WITHIN_MS),
    )
    const missing = await withoutCase(
      store.jobReads,
      reviews.map(({ id }) => id),
    )
    for (let start = 0; start < missing.length && !stopped(); start += RUN_MAX)
      await store.writes
        .transaction()
        .execute((transaction) =>
          recordReviews(transaction, missing.slice(start, start + RUN_MAX), { nowMs, warn, openMax }),
        )
    if (stopped()) return
    next.settle(rows)
    after = rows.at(-1)?.id ?? after
    if (rows.length < ROWS_MAX) break
  }
  if (next.settled !== began)
    await store.writes.updateTable('case_cursor').set({ decision_id: next.settled }).execute()
}

/** Those of these decisions that no case counts. */
async function withoutCase(db: Kysely<Schema>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const references = ids.map((id) => `decision:${id}`)
  const rows = await db
    .selectFrom('case_events')
    .select('reference')
    .where('reference', 'in', references)
    .where('kind', '=', 'review')
    .execute()
  const known = new Set(rows.map(({ reference }) => reference))
  return ids.filter((id) => !known.has(`decision:${id}`))
}

async function recordReviews(
  transaction: Kysely<Schema>,
  ids: readonly number[],
  { nowMs, warn, openMax }: Required<Omit<ReviewOptions, 'stopped'>>,
): Promise<void> {
  const decisions = await transaction
    .selectFrom('decisions')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  const full = await fullDomains(transaction, decisions, openMax)
  for (const decision of decisions)
    await recordReview(transaction, decision, { nowMs, warn, isFull: full.has(decision.domain_id) })
}

async function fullDomains(
  transaction: Kysely<Schema>,
  decisions: readonly DecisionRow[],
  openMax: number,
): Promise<Set<number>> {
  const full = new Set<number>()
  for (const domainId of new Set(decisions.map(({ domain_id }) => domain_id)))
    if (await caseStore(transaction).hasOpen(domainId, openMax)) full.add(domainId)
  return full
}

async function recordReview(
  transaction: Kysely<Schema>,
  decision: DecisionRow,
  { nowMs, warn, isFull }: Pick<ReviewOptions, 'nowMs' | 'warn'> & { isFull: boolean },
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
  const stored = readDecision(decision, warn)
  if (!stored) return
  const cases = caseStore(transaction)
  const author = 'server'
  const opened = isFull
    ? undefined
    : await cases.add({
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
  await cases.addEvent(domain_id, standing.id, {
    kind: 'review',
    atMs: decided_at,
    author,
    requestId: request_id,
    reference,
    body: { decision: stored },
  })
}

/** Undefined for one that is damaged: it must not hold up the reviews after it. */
function readDecision({ id, answer }: DecisionRow, warn: ReviewOptions['warn']): StoredDecision | undefined {
  try {
    return StoredDecision.parse({ ...JSON.parse(answer), changed: null })
  } catch (error) {
    warn(`decision ${id} cannot be read, so no case was opened for it`, error)
    return undefined
  }
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
