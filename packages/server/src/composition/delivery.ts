import { type Attempt, attemptSend } from '../deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from '../deliver/dispatcher.ts'
import { createSafeFetch, type SafeFetch } from '../deliver/safe-fetch.ts'
import { uuidToText } from '../lib/uuid.ts'
import { outboxStore } from '../store/outbox/outbox.ts'
import type { Attributes } from '../telemetry/tracing.ts'
import type { ServerContext } from './config.ts'
import type { Demo } from './demo.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

const EVENT_TIMEOUT_MS = 1_000

/** What sends webhooks. */
export interface Delivery {
  fetch: SafeFetch
  dispatcher: Dispatcher
}

interface DeliveryDeps {
  storage: Storage
  telemetry: Telemetry
  demo: Demo | undefined
}

/** Nothing is sent before the dispatcher gets events or sweeps. */
export function openDelivery(
  { config, now, opened, warn }: ServerContext,
  { storage: { store, directory }, telemetry: { tracing, metrics }, demo }: DeliveryDeps,
): Delivery {
  const fetch = createSafeFetch({
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    allowedUrls: new Set(demo ? [demo.receiverUrl] : []),
  })
  opened.defer(() => fetch.close())

  const outbox = outboxStore(store.writes)
  const attemptDeps = { fetch, serviceName: config.SERVICE_NAME, now }
  const dispatcher = createDispatcher({
    endpoint: directory.endpoint,
    async send({ url, secret }, { body, event_id }) {
      const eventId = config.WEBHOOK_RETRIES > 0 ? { eventId: uuidToText(event_id) } : {}
      const outgoing = { url, secret, body, timeoutMs: EVENT_TIMEOUT_MS, ...eventId }
      const attempt = await tracing.task('webhook', () => attemptSend(outgoing, attemptDeps), spanAttributes)
      metrics.webhookSent(attempt)
      return attempt
    },
    claim: outbox.claim,
    release: outbox.release,
    anyDue: outboxStore(store.reads).anyDue,
    commit: store.commit,
    retries: config.WEBHOOK_RETRIES,
    now,
    warn,
  })
  opened.defer(() => dispatcher.drain())
  return {
    fetch,
    // A send is not part of the request that caused it.
    dispatcher: { ...dispatcher, enqueue: (entries) => tracing.apart(() => dispatcher.enqueue(entries)) },
  }
}

const spanAttributes = ({ status }: Attempt): Attributes =>
  status === undefined ? {} : { 'http.response.status_code': status }
