import type { Chance } from '../../bench/identity/population/chance.ts'
import { scoredEvent } from '../../packages/server/src/deliver/webhook-events.ts'
import { uuidBytesOrNil } from '../../packages/server/src/lib/uuid.ts'
import type { NewDelivery } from '../../packages/server/src/store/store.ts'
import type { Scored } from '../../packages/server/src/visit/identification.ts'

type Outcome = Pick<NewDelivery, 'status' | 'error'>

const DELIVERED: Outcome = { status: 204, error: null }
/** Result of one delivery attempt; most succeed. */
const OUTCOMES: readonly (readonly [Outcome, number])[] = [
  [DELIVERED, 0.955],
  [{ status: 500, error: null }, 0.02],
  [{ status: 503, error: null }, 0.01],
  [{ status: null, error: 'no answer within 1000 ms' }, 0.015],
]
const RETRY_AFTER_MS = 5_000
const ATTEMPTS_MAX = 3

/** The delivery attempts for one visit: one, or more if the first ones failed. */
export function demoDeliveries(scored: Scored, endpointId: number, chance: Chance): NewDelivery[] {
  const sends: NewDelivery[] = []
  const eventId = chance.uuid()
  const body = scoredEvent(scored, { createdAtMs: scored.atMs, eventId })
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const outcome = chance.pickWeighted(OUTCOMES)
    sends.push({
      domain_id: scored.domain.id,
      endpoint_id: endpointId,
      request_id: uuidBytesOrNil(scored.requestId),
      event_id: uuidBytesOrNil(eventId),
      event_type: 'identification.scored',
      attempt,
      sent_at: scored.atMs + 40 + (attempt - 1) * RETRY_AFTER_MS,
      duration_ms: outcome.error === null ? 8 + chance.below(90) : 1_000,
      body,
      ...outcome,
    })
    if (outcome === DELIVERED) break
  }
  return sends
}
