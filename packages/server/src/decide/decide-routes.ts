import { type DecideRefusal, DecideRequest } from '@inkling/contract'
import type { FastifyPluginAsync } from 'fastify'
import type { AdmitKey } from '../auth/admit-key.ts'
import { sendJson } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import type { ConcurrencyLimit } from '../lib/limits.ts'
import { createTokenBuckets } from '../lib/token-buckets.ts'
import { withOutageError } from '../store/outages.ts'
import type { AnswerQuestion } from './answer-question.ts'

export interface DecideRoutesDeps {
  admit: AdmitKey
  answer: AnswerQuestion
  work: ConcurrencyLimit
  monotonicMs(): number
}

const BODY_BYTES_MAX = 16 * 1024
/** Of each domain and server: more than a large shop has sign-ups, log-ins and payments. */
const PER_SECOND = 200

const TEXTS: Record<DecideRefusal['reason'], string> = {
  visit_used: 'the visit was decided about for this purpose already',
  visit_too_old: 'the visit is older than max_age_seconds',
  other_host: 'the visit was to another host',
  key_used: 'the idempotency key belongs to another question',
}

/** POST /api/v1/decide: what to do about a visit. */
export const decideRoutes =
  ({ admit, answer, work, monotonicMs }: DecideRoutesDeps): FastifyPluginAsync =>
  (app) => {
    // In memory: a shared count would take longer than the decision.
    const mayAsk = createTokenBuckets({ burst: 2 * PER_SECOND, perSecond: PER_SECOND, monotonicMs })

    app.post('/api/v1/decide', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
      const domain = admit(request.headers.authorization, 'decide')
      if (!mayAsk(domain.name)) throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: 1 })
      const { data, error } = DecideRequest.safeParse(request.body)
      if (!data) {
        const [issue] = error.issues
        throw new AppError('INK_INVALID_FIELD', `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
      }
      const answered = await work.run(() => withOutageError(() => answer(data, domain)))
      if ('answer' in answered) return sendJson(reply, 200, answered.answer)
      const refusal: DecideRefusal = { error: TEXTS[answered.refused], reason: answered.refused }
      return sendJson(reply, 409, refusal)
    })
    return Promise.resolve()
  }
