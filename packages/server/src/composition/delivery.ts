import type { Logger } from 'pino'
import type { Directory } from '../auth/directory.ts'
import { type Attempt, attemptSend } from '../deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from '../deliver/dispatcher.ts'
import type { SafeFetch } from '../deliver/safe-fetch.ts'
import { uuidToText } from '../lib/uuid.ts'
import { outboxStore } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import type { Attributes, Tracing } from '../telemetry/traces/tracing.ts'
import type { Config } from './config.ts'

const EVENT_TIMEOUT_MS = 1_000

interface DispatcherWiring {
  config: Config
  store: Store
  directory: Directory
  fetch: SafeFetch
  tracing: Pick<Tracing, 'apart' | 'task'>
  webhookSent(attempt: Attempt): void
  log: Logger
  now(): number
}

/** What sends events from the outbox. */
export function openDispatcher(wiring: DispatcherWiring): Dispatcher {
  const { config, store, directory, fetch, tracing, webhookSent, log, now } = wiring
  const outbox = outboxStore(store.writes)
  const attemptDeps = { fetch, serviceName: config.SERVICE_NAME, now }
  const dispatcher = createDispatcher({
    endpoint: directory.endpoint,
    async send(endpoint, entry) {
      const outgoing = {
        url: endpoint.url,
        secret: endpoint.secret,
        body: entry.body,
        timeoutMs: EVENT_TIMEOUT_MS,
        ...(config.WEBHOOK_RETRIES > 0 && { eventId: uuidToText(entry.event_id) }),
      }
      const attempt = await tracing.task('webhook', () => attemptSend(outgoing, attemptDeps), factsOf)
      webhookSent(attempt)
      return attempt
    },
    claim: outbox.claim,
    release: outbox.release,
    anyDue: outboxStore(store.reads).anyDue,
    commit: store.commit,
    retries: config.WEBHOOK_RETRIES,
    now,
    warn: (message, error) => log.warn({ err: error }, message),
  })
  return { ...dispatcher, enqueue: (entries) => tracing.apart(() => dispatcher.enqueue(entries)) }
}

const factsOf = ({ status }: Attempt): Attributes =>
  status === undefined ? {} : { 'http.response.status_code': status }
