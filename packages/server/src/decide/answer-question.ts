import { createHash, randomUUID } from 'node:crypto'
import { DecideAnswer, type DecideRefusal, type DecideRequest } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import { presentVelocity } from '../history/present-velocity.ts'
import { AppError } from '../lib/errors.ts'
import { NIL_UUID_BYTES, uuidBytesOrNil } from '../lib/uuid.ts'
import { type DecisionRow, decisionStore } from '../store/decisions/decisions.ts'
import type { NewDecision, Store, WriteOutcome } from '../store/store.ts'
import { type AwaitedVisit, createVisitWait, findVisit } from './awaited-visit.ts'
import { type Decision, decide } from './decide.ts'
import { type DecisionFacts, type DecisionQuestion, factsOf } from './decision-facts.ts'
import { questionAbout, withNormalNames } from './question-about.ts'
import type { RuleHits } from './rule-hits.ts'
import { ruleSetOf } from './rule-set.ts'
import type { VisitArrivals } from './visit-arrivals.ts'

export interface AnswerDeps {
  store: Pick<Store, 'reads' | 'commit' | 'inShare'>
  arrivals: VisitArrivals
  hits: Pick<RuleHits, 'count'>
  now(): number
  monotonicMs(): number
}

export type Answered = { answer: DecideAnswer } | { refused: DecideRefusal['reason'] }
export type AnswerQuestion = (asked: DecideRequest, domain: Domain) => Promise<Answered>

/**
 * Decides about a visit, once for each purpose, and stores what was answered.
 * @throws AppError `INK_NOT_FOUND` without such a visit, `INK_INVALID_FIELD` for a malformed account or address
 */
export function createAnswers({ store, arrivals, hits, now, monotonicMs }: AnswerDeps): AnswerQuestion {
  const awaitVisit = createVisitWait(store, arrivals, monotonicMs)

  return async (given, domain) => {
    const asked = inNormalForm(given)
    const requestId = uuidBytesOrNil(asked.request_id)
    // Visits without a request ID of their own are stored without one, so it names none of them.
    if (Buffer.compare(requestId, NIL_UUID_BYTES) === 0) throw NO_VISIT()
    const key = { key: asked.idempotency_key, requestId, purpose: asked.purpose }
    const digest = digestOf(asked)
    /** What was answered already, if anything. */
    async function earlier(): Promise<Answered | undefined> {
      const decision = await decisionStore(store.reads).standing(domain.id, key)
      if (!decision) return undefined
      const stored = repeated(decision, asked, digest)
      if ('refused' in stored) return stored
      const visit = await findVisit(store.reads, domain.id, requestId)
      if (!visit) throw NO_VISIT()
      return { answer: withVelocity(stored, visit) }
    }

    const first = await earlier()
    if (first) return first
    const row = await awaitVisit({ domainId: domain.id, requestId, waitMs: asked.wait_ms })
    if (!row) throw NO_VISIT()
    const refused = refusalOf(row, asked, now())
    if (refused) return { refused }

    const question = questionAbout(row, asked, domain.lists, now())
    const facts = factsOf(row, question)
    const decision = decide(ruleSetOf(domain.decisionRules), facts)
    const answer = present(asked, { facts, decision, row, atMs: question.atMs })
    const outcome = await store.commit({
      type: 'decision',
      row: newDecision(asked, { domainId: domain.id, digest, question, answer }),
    })
    if (outcome.type === 'failed') throw notStored(outcome)
    if (outcome.type === 'gone') throw NO_VISIT()
    if (outcome.type === 'used') {
      const other = await earlier()
      if (!other) throw NO_VISIT()
      return other
    }
    hits.count(domain.id, decision)
    return { answer: withVelocity(answer, row) }
  }
}

const notStored = ({ message, outage }: Extract<WriteOutcome, { type: 'failed' }>): Error => {
  const cause = new Error(`a decision could not be stored: ${message}`)
  return outage ? new AppError('INK_DATABASE_UNAVAILABLE', undefined, { cause }) : cause
}

const NO_VISIT = () => new AppError('INK_NOT_FOUND', 'no such identification')

/** @throws AppError `INK_INVALID_FIELD` */
const inNormalForm = (asked: DecideRequest): DecideRequest => ({
  ...withNormalNames(asked),
  request_id: asked.request_id.toLowerCase(),
  host: asked.host?.toLowerCase(),
})

/** Equal for equal questions, however long they wait. */
function digestOf({ wait_ms: _wait, fields, ...rest }: DecideRequest): Uint8Array {
  const inOrder = (object: object) =>
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([inOrder(rest), inOrder(fields)])
  // With memory of its own: a slice of Node's pool would take the whole pool along to another thread.
  return Uint8Array.from(createHash('sha256').update(text).digest())
}

/** Without the counts, which are stored with the visit and never change. */
const StoredAnswer = DecideAnswer.omit({ velocity: true })
type StoredAnswer = Omit<DecideAnswer, 'velocity'>

const withVelocity = (answer: StoredAnswer, row: AwaitedVisit): DecideAnswer => ({
  ...answer,
  velocity: presentVelocity(row) ?? {},
})

/** The same answer to the same question with its key; nothing to anybody else. */
function repeated(
  row: DecisionRow,
  { idempotency_key: key }: DecideRequest,
  digest: Uint8Array,
): StoredAnswer | { refused: DecideRefusal['reason'] } {
  if (key === undefined || row.idempotency_key !== key) return { refused: 'visit_used' }
  if (Buffer.compare(row.asked, digest) !== 0) return { refused: 'key_used' }
  return StoredAnswer.parse(JSON.parse(row.answer))
}

function refusalOf(
  { host, created_at }: AwaitedVisit,
  asked: DecideRequest,
  atMs: number,
): DecideRefusal['reason'] | undefined {
  if (asked.host !== undefined && asked.host !== host.toLowerCase()) return 'other_host'
  return atMs - created_at > asked.max_age_seconds * 1_000 ? 'visit_too_old' : undefined
}

interface Decided {
  facts: DecisionFacts
  decision: Decision
  row: AwaitedVisit
  atMs: number
}

const present = (
  { request_id, purpose }: DecideRequest,
  { facts, decision, row, atMs }: Decided,
): StoredAnswer => ({
  decision_id: randomUUID(),
  request_id,
  purpose,
  action: decision.action,
  reasons: decision.reasons,
  points: decision.points,
  rules: decision.met,
  failed_rules: decision.failed,
  score: facts.score,
  band: facts.band,
  device_id: facts.device_id,
  visitor_id: facts.visitor_id,
  cookie_id: facts.cookie_id,
  account: facts.account,
  address_matches: facts.address_matches,
  age_seconds: facts.age_seconds,
  ver: row.ver,
  decided_at: new Date(atMs).toISOString(),
})

interface Stored {
  domainId: number
  digest: Uint8Array
  question: DecisionQuestion
  answer: StoredAnswer
}

const newDecision = (
  { request_id, idempotency_key }: DecideRequest,
  { domainId, digest, question, answer }: Stored,
): NewDecision => ({
  domain_id: domainId,
  request_id: uuidBytesOrNil(request_id),
  purpose: question.purpose,
  idempotency_key: idempotency_key ?? null,
  asked: digest,
  account: question.account ?? null,
  client_address: question.clientAddress ?? null,
  question: JSON.stringify(question),
  answer: JSON.stringify(answer),
  action: answer.action,
  ver: answer.ver,
  decided_at: question.atMs,
})
