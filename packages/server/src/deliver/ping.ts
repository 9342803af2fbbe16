import { SCHEMA_VERSION, TEST_SAMPLE, type WebhookPing } from '@inkling/contract'
import type { SecretBox } from '../lib/secret-box.ts'
import { type EndpointRow, endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { type Attempt, type AttemptDeps, attemptSend, delivered } from './attempt.ts'
import { eventJson, eventSecond } from './webhook-events.ts'

const PING_TIMEOUT_MS = 5_000

export interface PingResult {
  state: 'verified' | 'failed'
  attempt: Attempt
}

/** Sends `webhook.ping` and keeps the outcome: an answer of 2xx within five seconds verifies the endpoint. */
export async function ping(
  store: Store,
  secrets: SecretBox,
  endpoint: EndpointRow,
  deps: AttemptDeps,
): Promise<PingResult> {
  const event: WebhookPing = {
    created_at: eventSecond(deps.now()),
    event_type: 'webhook.ping',
    schema_version: SCHEMA_VERSION,
  }
  const attempt = await attemptSend(
    {
      url: endpoint.url,
      secret: secrets.open(endpoint.sealed_secret),
      body: eventJson(event),
      timeoutMs: PING_TIMEOUT_MS,
    },
    deps,
  )
  const state = delivered(attempt) ? 'verified' : 'failed'
  await store.writes
    .transaction()
    .execute((transaction) => endpointStore(transaction).change(endpoint.domain_id, endpoint.id, { state }))
  return { state, attempt }
}

const TEST_TIMEOUT_MS = 5_000

/** Sends the fixed sample of `identification.scored`; the endpoint's state stays as it is. */
export const sendTest = (secrets: SecretBox, endpoint: EndpointRow, deps: AttemptDeps): Promise<Attempt> =>
  attemptSend(
    {
      url: endpoint.url,
      secret: secrets.open(endpoint.sealed_secret),
      body: eventJson(TEST_SAMPLE),
      timeoutMs: TEST_TIMEOUT_MS,
    },
    deps,
  )
