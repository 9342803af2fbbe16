import { LabelDraft } from '@inkling/contract'
import type { FastifyPluginAsync } from 'fastify'
import type { AdmitKey } from '../auth/admit-key.ts'
import { sendJson } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import { createTokenBuckets } from '../lib/token-buckets.ts'
import { labelStore } from '../store/labels/labels.ts'
import { newLabel, presentLabel } from '../store/labels/new-label.ts'
import { withOutageError } from '../store/outages.ts'
import type { Store } from '../store/store.ts'

export interface LabelRoutesDeps {
  admit: AdmitKey
  store: Store
  now(): number
  monotonicMs(): number
}

const BODY_BYTES_MAX = 16 * 1024
/** Of each domain. Each label is a commit of its own; a file has many in one. */
const PER_SECOND = 20
const API_KEY = 'api key'

/** POST /api/v1/labels: what a customer's backend found out about a visitor. */
export const labelRoutes =
  ({ admit, store, now, monotonicMs }: LabelRoutesDeps): FastifyPluginAsync =>
  (app) => {
    const mayAsk = createTokenBuckets({ burst: 5 * PER_SECOND, perSecond: PER_SECOND, monotonicMs })

    app.post('/api/v1/labels', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
      const domain = admit(request.headers.authorization, 'labels:write')
      if (!mayAsk(domain.name)) throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: 1 })
      const { data, error } = LabelDraft.safeParse(request.body)
      if (!data) {
        const [issue] = error.issues
        throw new AppError('INK_INVALID_FIELD', `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
      }
      const nowMs = now()
      const label = newLabel(data, nowMs)
      if ('problem' in label) throw new AppError('INK_INVALID_FIELD', `subject.value: ${label.problem}`)
      const { labels } = await withOutageError(() =>
        store.writes
          .transaction()
          .execute((transaction) =>
            labelStore(transaction).save(domain.id, [label], { author: API_KEY, nowMs }),
          ),
      )
      return sendJson(reply, 200, labels.map(presentLabel)[0] ?? {})
    })
    return Promise.resolve()
  }
