import { randomUUID } from 'node:crypto'
import { SCHEMA_VERSION, TEST_SAMPLE, type WebhookPing } from '@inkling/contract'
import { openSigningSecrets } from '../auth/signing-secrets.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type EndpointRow, endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { type Attempt, type AttemptDeps, attemptSend, delivered, refused } from './attempt.ts'
import { eventJson, eventSecond } from './webhook-events.ts'

/** Somebody waits for the result, and the endpoint may be starting up: longer than an event may take. */
const TIMEOUT_MS = 5_000

export interface PingResult {
  state: 'verified' | 'failed'
  attempt: Attempt
}

/**
 * Sends `webhook.ping` and stores the endpoint's new state: an answer of 2xx within five seconds verifies it.
 * @param onlyUp a failure may be this process's own, so it leaves a verified endpoint as it is
 */
export async function ping(
  store: Store,
  secrets: SecretBox,
  endpoint: EndpointRow,
  deps: AttemptDeps,
  { onlyUp = false } = {},
): Promise<PingResult> {
  const event: WebhookPing = {
    created_at: eventSecond(deps.now()),
    event_type: 'webhook.ping',
    schema_version: SCHEMA_VERSION,
  }
  const attempt = await sendNow(secrets, endpoint, event, deps)
  const state = delivered(attempt) ? 'verified' : 'failed'
  const isKept = onlyUp && state === 'failed' && (endpoint.state === 'verified' || refused(attempt))
  if (isKept) return { state, attempt }
  await store.writes
    .transaction()
    .execute((transaction) => endpointStore(transaction).change(endpoint.domain_id, endpoint.id, { state }))
  return { state, attempt }
}

/** Sends the fixed sample of `identification.scored`; the endpoint's state does not change. */
export const sendTest = (secrets: SecretBox, endpoint: EndpointRow, deps: AttemptDeps): Promise<Attempt> =>
  sendNow(secrets, endpoint, TEST_SAMPLE, deps)

const sendNow = (
  secrets: SecretBox,
  endpoint: EndpointRow,
  event: object,
  deps: AttemptDeps,
): Promise<Attempt> =>
  attemptSend(
    {
      url: endpoint.url,
      secrets: openSigningSecrets(endpoint, secrets),
      body: eventJson(event),
      timeoutMs: TIMEOUT_MS,
      eventId: randomUUID(),
      namesEvent: false,
    },
    deps,
  )
