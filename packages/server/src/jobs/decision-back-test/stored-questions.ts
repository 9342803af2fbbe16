import type { DecisionAction, DecisionPurpose } from '@inkling/contract'
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

/** The questions of a back-test in batches, and about how many they are. */
export async function storedQuestions(
  store: Reads,
  span: QuestionSpan,
  { purpose }: { purpose: DecisionPurpose },
): Promise<{ total: number; questions: AsyncGenerator<StoredQuestion[]> }> {
  return { total: await countVisits(store, span), questions: askAboutVisits(store, span, purpose) }
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
    // The markers of addresses over the limit are no visits, and nobody can ask about them.
    .where('request_id', 'is not', null)

async function countVisits(store: Reads, span: QuestionSpan): Promise<number> {
  const newest = visitsOf(store, span).select('id').limit(span.limit).as('newest')
  const { total } = await store.jobReads
    .selectFrom(newest)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The newest visits, each as if it were asked about in the moment it came. */
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
