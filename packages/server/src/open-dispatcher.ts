import type { Logger } from 'pino'
import type { Directory } from './auth/directory.ts'
import type { Config } from './config.ts'
import { attemptSend } from './deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from './deliver/dispatcher.ts'
import type { SafeFetch } from './deliver/safe-fetch.ts'
import { uuidToText } from './lib/uuid.ts'
import { outboxStore } from './store/outbox.ts'
import type { Store } from './store/store.ts'

const EVENT_TIMEOUT_MS = 1_000

interface DispatcherWiring {
  config: Config
  store: Store
  directory: Directory
  fetch: SafeFetch
  log: Logger
  now(): number
}

/** What sends events from the outbox. */
export function openDispatcher({ config, store, directory, fetch, log, now }: DispatcherWiring): Dispatcher {
  const outbox = outboxStore(store.writes)
  const attemptDeps = { fetch, serviceName: config.SERVICE_NAME, now }
  return createDispatcher({
    endpoint: directory.endpoint,
    send: (endpoint, entry) =>
      attemptSend(
        {
          url: endpoint.url,
          secret: endpoint.secret,
          body: entry.body,
          timeoutMs: EVENT_TIMEOUT_MS,
          ...(config.WEBHOOK_RETRIES > 0 && { eventId: uuidToText(entry.event_id) }),
        },
        attemptDeps,
      ),
    claim: outbox.claim,
    anyDue: outboxStore(store.reads).anyDue,
    commit: store.commit,
    retries: config.WEBHOOK_RETRIES,
    now,
    warn: (message, error) => log.warn({ err: error }, message),
  })
}
