import { AssessRequest } from '@inkling/contract'
import type { FastifyPluginAsync } from 'fastify'
import type { AdmitKey } from '../auth/admit-key.ts'
import { sendJson } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import type { ConcurrencyLimit } from '../lib/limits.ts'
import { createTokenBuckets } from '../lib/token-buckets.ts'
import type { Assess } from './assess.ts'

export interface AssessRoutesDeps {
  admit: AdmitKey
  assess: Assess
  /** Of each domain. */
  perSecond: number
  work: ConcurrencyLimit
  monotonicMs(): number
}

const BODY_BYTES_MAX = 64 * 1024

/** POST /api/v1/assess: what a request to a customer's own site shows, before any page has run. */
export const assessRoutes =
  ({ admit, assess, perSecond, work, monotonicMs }: AssessRoutesDeps): FastifyPluginAsync =>
  (app) => {
    // In memory: a shared count would take longer than the answer.
    const mayAsk = createTokenBuckets({ burst: 2 * perSecond, perSecond, monotonicMs })

    app.post('/api/v1/assess', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
      const domain = admit(request.headers.authorization, 'assess')
      if (!mayAsk(domain.name)) throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: 1 })
      const { data, error } = AssessRequest.safeParse(request.body)
      if (!data) {
        const [issue] = error.issues
        throw new AppError('INK_INVALID_FIELD', `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
      }
      return sendJson(reply, 200, await work.run(() => assess(data, domain)))
    })
    return Promise.resolve()
  }
