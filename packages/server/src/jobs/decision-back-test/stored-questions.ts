import { BANDS, type DecisionAction, type DecisionPurpose } from '@inkling/contract'
import { DECIDED_COLUMNS, type DecisionQuestion } from '../../decide/decision-facts.ts'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'
import type { Store } from '../../store/store.ts'

/** Fewer columns than half: what readers copy for this thread takes longer than the decision. */
const COLUMNS = [...DECIDED_COLUMNS, 'id', 'request_id', 'session_id', 'webrtc_leak_ip'] as const

type QuestionedRow = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** A question about a stored identification. */
export interface StoredQuestion {
  row: QuestionedRow
  question: DecisionQuestion
  /** What was answered; undefined for a question that nobody asked. */
  answered: DecisionAction | undefined
}

interface QuestionSpan {
  domainId: number
  sinceMs: number
  untilMs: number
  /** How many of the newest to read. */
  limit: number
}

interface Source {
  source: 'visits' | 'decisions'
  purpose: DecisionPurpose
}

/** The questions of a back-test in batches, and about how many they are. */
export async function storedQuestions(
  store: Reads,
  span: QuestionSpan,
  { source, purpose }: Source,
): Promise<{ total: number; questions: AsyncGenerator<StoredQuestion[]> }> {
  return source === 'visits'
    ? { total: await countVisits(store, span), questions: askAboutVisits(store, span, purpose) }
    : { total: await countDecisions(store, span, purpose), questions: askAgain(store, span, purpose) }
}

/** Each takes a reader for some milliseconds. */
const BATCH = 500

type Reads = Pick<Store, 'jobReads'>

const visitsOf = ({ jobReads }: Reads, { domainId, sinceMs, untilMs }: QuestionSpan) =>
  jobReads
    .selectFrom('identifications')
    .where('domain_id', '=', domainId)
    .where('created_at', '>=', sinceMs)
    .where('created_at', '<=', untilMs)
    // Nobody can ask about visits without a request ID.
    .where('request_id', 'is not', null)
    // The markers of addresses over the limit are no visits, and rules decide nothing about them.
    .where('score', '<=', BANDS.dangerous.to)

async function countVisits(store: Reads, span: QuestionSpan): Promise<number> {
  const newest = visitsOf(store, span).select('id').limit(span.limit).as('newest')
  const { total } = await store.jobReads
    .selectFrom(newest)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The newest visits as they are known now, as if each were asked about at its time. */
async function* askAboutVisits(
  store: Reads,
  span: QuestionSpan,
  purpose: DecisionPurpose,
): AsyncGenerator<StoredQuestion[]> {
  let before = { created_at: span.untilMs, id: Number.MAX_SAFE_INTEGER }
  for (let left = span.limit; left > 0; left -= BATCH) {
    const limit = Math.min(BATCH, left)
    const rows = await visitsOf(store, span)
      .select(COLUMNS)
      // Implied by the next condition, but an index can use it.
      .where('created_at', '<=', before.created_at)
      .where(({ eb, and, or }) =>
        or([
          eb('created_at', '<', before.created_at),
          and([eb('created_at', '=', before.created_at), eb('id', '<', before.id)]),
        ]),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    yield rows.map((row) => ({
      row,
      question: { purpose, fields: {}, atMs: row.created_at },
      answered: undefined,
    }))
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    before = last
  }
}

const decisionsOf = (
  { jobReads }: Reads,
  { domainId, sinceMs, untilMs }: QuestionSpan,
  purpose: DecisionPurpose,
) =>
  jobReads
    .selectFrom('decisions')
    .where('decisions.domain_id', '=', domainId)
    .where('decided_at', '>=', sinceMs)
    .where('decided_at', '<=', untilMs)
    .where('purpose', '=', purpose)

async function countDecisions(store: Reads, span: QuestionSpan, purpose: DecisionPurpose): Promise<number> {
  const newest = decisionsOf(store, span, purpose).select('decisions.id').limit(span.limit).as('newest')
  const { total } = await store.jobReads
    .selectFrom(newest)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The newest questions that were answered, about the visits as they were then. */
async function* askAgain(
  store: Reads,
  span: QuestionSpan,
  purpose: DecisionPurpose,
): AsyncGenerator<StoredQuestion[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let left = span.limit; left > 0; left -= BATCH) {
    const limit = Math.min(BATCH, left)
    const rows = await decisionsOf(store, span, purpose)
      .innerJoin('identifications', (join) =>
        join
          .onRef('identifications.domain_id', '=', 'decisions.domain_id')
          .onRef('identifications.request_id', '=', 'decisions.request_id'),
      )
      // There is none where the visit has not changed since.
      .leftJoin('versions', (join) =>
        join
          .onRef('versions.domain_id', '=', 'decisions.domain_id')
          .onRef('versions.identification_id', '=', 'identifications.id')
          .onRef('versions.ver', '=', 'decisions.ver'),
      )
      .select(COLUMNS.map((name) => `identifications.${name}` as const))
      .select(['decisions.id as decision', 'decisions.question', 'decisions.action'])
      .select(['versions.score as then_score', 'versions.flags as then_flags'])
      .select(['versions.connection_type as then_connection', 'versions.verdict as then_verdict'])
      .where('decisions.id', '<', before)
      .orderBy('decisions.id', 'desc')
      .limit(limit)
      .execute()
    yield rows.map(({ question, action, ...row }) => ({
      row: {
        ...row,
        score: row.then_score ?? row.score,
        flags: row.then_flags ?? row.flags,
        connection_type: row.then_connection ?? row.connection_type,
        verdict: row.then_verdict ?? row.verdict,
      },
      question: JSON.parse(question) as DecisionQuestion,
      answered: action,
    }))
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    before = last.decision
  }
}
