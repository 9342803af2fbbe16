import { type AlertSender, createAlertSender } from '../deliver/alerts/alert-sender.ts'
import { type Attempt, type AttemptDeps, attemptSend } from '../deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from '../deliver/dispatcher.ts'
import { createFailureRecord, type FailureRecord } from '../deliver/failure-record.ts'
import { createSafeFetch, type SafeFetch } from '../deliver/safe-fetch.ts'
import { DAY_MS } from '../lib/durations.ts'
import { uuidToText } from '../lib/uuid.ts'
import { outboxStore } from '../store/outbox/outbox.ts'
import type { Attributes } from '../telemetry/tracing.ts'
import type { ServerContext } from './config.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'
import type { WebhookSettings } from './webhook-settings.ts'

const EVENT_TIMEOUT_MS = 1_000

/** What sends webhooks. */
export interface Delivery {
  fetch: SafeFetch
  dispatcher: Dispatcher
  /** For pings and samples. */
  attemptDeps: AttemptDeps
  failures: FailureRecord
  alerts: AlertSender
}

interface DeliveryDeps {
  storage: Storage
  telemetry: Telemetry
  settings: WebhookSettings
}

/** Nothing is sent before the dispatcher gets events or sweeps. */
export function openDelivery(
  { config, log, now, opened, warn }: ServerContext,
  { storage: { store, directory }, telemetry: { tracing, metrics }, settings }: DeliveryDeps,
): Delivery {
  const { serviceName, standardHeaders, allowPrivate, allowedUrls } = settings
  const fetch = createSafeFetch({ allowPrivate, allowedUrls: new Set(allowedUrls) })
  opened.defer(() => fetch.close())

  const { SMTP_URL: smtpUrl, ALERT_MAIL_FROM: from } = config
  const mail = smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from }
  const alerts = createAlertSender({ fetch, serviceName, mail, now })
  opened.defer(() => alerts.close())

  const outbox = outboxStore(store.writes)
  const attemptDeps = { fetch, serviceName, standardHeaders, now }
  const failures = createFailureRecord({
    store,
    disableAfterMs: config.WEBHOOK_DISABLE_DAYS * DAY_MS,
    now,
    disabled: (endpoint) => log.error(endpoint, 'a webhook endpoint was disabled: its sends failed for days'),
  })
  const dispatcher = createDispatcher({
    endpoint: directory.endpoint,
    async send({ id, url, secrets }, { body, event_id }) {
      const eventId = uuidToText(event_id)
      const namesEvent = config.WEBHOOK_RETRIES > 0
      const outgoing = { url, secrets, body, timeoutMs: EVENT_TIMEOUT_MS, eventId, namesEvent }
      const attempt = await tracing.task('webhook', () => attemptSend(outgoing, attemptDeps), spanAttributes)
      metrics.webhookSent(attempt)
      failures.sent(id, attempt)
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
  opened.defer(async () => {
    await dispatcher.drain()
    await failures.record().catch((error: unknown) => warn('failed sends could not be recorded', error))
  })
  return {
    fetch,
    attemptDeps,
    failures,
    alerts,
    // A send is not part of the request that caused it.
    dispatcher: { ...dispatcher, enqueue: (entries) => tracing.apart(() => dispatcher.enqueue(entries)) },
  }
}

const spanAttributes = ({ status }: Attempt): Attributes =>
  status === undefined ? {} : { 'http.response.status_code': status }
