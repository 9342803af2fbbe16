import { type AlertSender, createAlertSender } from '../deliver/alerts/alert-sender.ts'
import { type Attempt, type AttemptDeps, attemptSend } from '../deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from '../deliver/dispatcher.ts'
import { createFailureRecord, type FailureRecord } from '../deliver/failure-record.ts'
import { createSafeFetch, type SafeFetch } from '../deliver/safe-fetch.ts'
import { DAY_MS } from '../lib/durations.ts'
import { repeat } from '../lib/repeat.ts'
import { createSlewedClock } from '../lib/slewed-clock.ts'
import { uuidToText } from '../lib/uuid.ts'
import { outboxStore } from '../store/outbox/outbox.ts'
import type { Attributes } from '../telemetry/tracing.ts'
import { logFailure, type ServerContext } from './config.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'
import type { WebhookSettings } from './webhook-settings.ts'

const EVENT_TIMEOUT_MS = 1_000
const OUTBOX_SWEEP_MS = 500
/** An endpoint that fails is disabled after days, so seconds do not matter. */
const FAILURES_MS = 5_000

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
  { config, log, now, opened, tasks, warn }: ServerContext,
  { storage: { store, directory }, telemetry: { tracing, metrics }, settings }: DeliveryDeps,
): Delivery {
  const { serviceName, standardHeaders, allowPrivate, allowedUrls } = settings
  const fetch = createSafeFetch({ allowPrivate, allowedUrls: new Set(allowedUrls) })
  opened.defer(() => fetch.close())

  const { SMTP_URL: smtpUrl, ALERT_MAIL_FROM: from } = config
  const mail = smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from }
  const alerts = createAlertSender({ fetch, serviceName, mail, now })
  opened.defer(() => alerts.close())
  // Jobs send alerts. A mail in progress may take a minute, so everything else is closed before.
  opened.defer(() => tasks.ended())

  const outbox = outboxStore(store.claims)
  const attemptDeps = { fetch, serviceName, standardHeaders, now }
  const failures = createFailureRecord({
    store,
    disableAfterMs: config.WEBHOOK_DISABLE_DAYS * DAY_MS,
    now,
    slewedNow: createSlewedClock(now),
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
    dueEndpoints: outboxStore(store.reads).dueEndpoints,
    commit: store.commit,
    retries: config.WEBHOOK_RETRIES,
    now,
    warn,
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

/** Sends what is due. A stop finishes the sends in progress and leaves the rest to another process. */
export async function startSending(
  context: ServerContext,
  { store }: Pick<Storage, 'store'>,
  { dispatcher, failures }: Delivery,
): Promise<void> {
  // One process at a time sends from the embedded database: what is held there was held by one that was killed.
  if (store.engine === 'sqlite') await outboxStore(store.claims).releaseHeld(context.now())
  const notRecorded = logFailure(context, 'failed sends could not be recorded')
  const recorded = repeat(FAILURES_MS, failures.record, notRecorded)
  const sweeps = repeat(
    OUTBOX_SWEEP_MS,
    dispatcher.sweep,
    logFailure(context, 'the outbox could not be read'),
  )
  context.opened.defer(async () => {
    // Before the timer stops, which waits for the running sweep.
    dispatcher.stopSweeping()
    await sweeps.stop()
    await dispatcher.drain()
    await recorded.stop()
    await failures.record().catch(notRecorded)
  })
}

const spanAttributes = ({ status }: Attempt): Attributes =>
  status === undefined ? {} : { 'http.response.status_code': status }
