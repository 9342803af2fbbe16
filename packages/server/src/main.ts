import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { type Directory, openDirectory } from './auth/directory.ts'
import { openServerSecrets } from './auth/server-secrets.ts'
import { type Config, publicUrls } from './config.ts'
import { attemptSend } from './deliver/attempt.ts'
import { createDispatcher, type Dispatcher } from './deliver/dispatcher.ts'
import { createSafeFetch, type SafeFetch } from './deliver/safe-fetch.ts'
import { addEndpoint } from './deliver/webhook-endpoints.ts'
import { readDemoKeys } from './demo/demo-keys.ts'
import type { DemoDeps } from './demo/demo-routes.ts'
import { openIpDatabase } from './enrich/ip/ip-facts.ts'
import { createSearch } from './history/search.ts'
import { createClientAddress } from './ingest/client-address.ts'
import { createBodyDecoder } from './ingest/decode-body.ts'
import { every } from './lib/every.ts'
import { freePort } from './lib/free-port.ts'
import { createRateLimit } from './lib/rate-limit.ts'
import { createSecretBox, type SecretBox } from './lib/secret-box.ts'
import { uuidToText } from './lib/uuid.ts'
import { createPipeline } from './pipeline.ts'
import { identificationStore } from './store/identifications.ts'
import { openStore } from './store/open-store.ts'
import { outboxStore } from './store/outbox.ts'
import type { Store } from './store/store.ts'

const AGENT_SCRIPT = new URL('../../agent/dist/agent.js', import.meta.url)
const DEMO_DIR = fileURLToPath(new URL('../../dashboard/dist/demo/', import.meta.url))
const ASN_FILE = fileURLToPath(new URL('../data/asn.bin', import.meta.url))

/** Changes made by the command line are seen within a second. */
const DIRECTORY_REFRESH_MS = 250
/** Entries left in the outbox are looked for this often. */
const OUTBOX_SWEEP_MS = 500
const EVENT_TIMEOUT_MS = 1_000

export interface RunningServer {
  /** Where it listens. */
  address: string
  /** Address of the demo page, where there is one. */
  demoUrl: string | undefined
  /** Stops taking requests, finishes what was begun, then closes the database. */
  close(): Promise<void>
}

/** Opens everything and listens. Settings come in as values: nothing here reads the environment. */
export async function startServer(
  settings: Config,
  log: Logger,
  now: () => number = Date.now,
): Promise<RunningServer> {
  const config = settings.PORT === 0 ? { ...settings, PORT: await freePort(settings.HOST) } : settings
  const store = await openStore(config.DATA_DIR)
  try {
    return await serve({ config, store, log, now })
  } catch (error) {
    // Its threads would keep a process alive that could not start.
    await store.close()
    throw error
  }
}

interface ServerWiring {
  config: Config
  store: Store
  log: Logger
  now(): number
}

async function serve({ config, store, log, now }: ServerWiring): Promise<RunningServer> {
  const urls = publicUrls(config)
  const secrets = await openServerSecrets(config.DATA_DIR)
  const box = createSecretBox(secrets.secret_box_key)
  const directory = await openDirectory(store, box)
  const demo = await openDemo({ config, store, directory, box, log, now })
  const fetch = createSafeFetch({
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    allowedUrls: new Set(demo ? [demo.receiverUrl] : []),
  })
  const dispatcher = openDispatcher({ config, store, directory, fetch, log, now })
  const decoder = createBodyDecoder(secrets.ingest_private_key)
  const ipDatabase = openIpDatabase({ asnFile: ASN_FILE })

  const pipeline = createPipeline({
    lookUpIp: ipDatabase.lookUp,
    commit: store.commit,
    enqueue: dispatcher.enqueue,
    storeSnapshots: config.STORE_SNAPSHOTS,
    nameEvents: config.WEBHOOK_RETRIES > 0,
    now,
  })
  const limits = createLimits(config)
  const clientAddress = createClientAddress(config.TRUST_PROXY)

  const app = buildApp({
    log,
    urls,
    ingest: {
      directory,
      clientAddress,
      decoder,
      limit: limits.ingest,
      process: pipeline.process,
      mark: pipeline.mark,
      now,
    },
    history: {
      directory,
      search: createSearch(identificationStore(store.reads)),
      limit: limits.history,
    },
    management: {
      directory,
      store,
      secrets: box,
      limit: limits.management,
      clientAddress,
      serviceName: config.SERVICE_NAME,
      historyUrl: urls.history,
      allowPrivateWebhooks: config.WEBHOOK_ALLOW_PRIVATE,
      now,
    },
    agentScript: {
      script: await readFile(AGENT_SCRIPT, 'utf8'),
      ingestUrl: urls.ingest,
      serverKey: decoder.publicKey,
    },
    demo: demo?.deps,
  })
  await app.listen({ host: config.HOST, port: config.PORT })

  const timers = [
    every(
      DIRECTORY_REFRESH_MS,
      () => directory.refresh(),
      (error) => log.warn({ err: error }, 'keys could not be reread'),
    ),
    every(
      OUTBOX_SWEEP_MS,
      () => dispatcher.sweep(),
      (error) => log.warn({ err: error }, 'the outbox could not be read'),
    ),
  ]
  return {
    address: `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${config.PORT}`,
    demoUrl: demo?.deps.demoUrl,
    async close() {
      await Promise.all(timers.map((timer) => timer.stop()))
      await app.close()
      await dispatcher.drain()
      await fetch.close()
      await store.close()
    },
  }
}

const createLimits = (config: Config) => ({
  ingest: createRateLimit({
    points: config.INGEST_LIMIT_PER_MINUTE,
    windowSeconds: 60,
    blockSeconds: config.INGEST_BLOCK_MINUTES * 60,
  }),
  history: createRateLimit({ points: config.HISTORY_LIMIT_PER_SECOND, windowSeconds: 1, blockSeconds: 0 }),
  management: createRateLimit({
    points: config.MANAGEMENT_LIMIT_PER_MINUTE,
    windowSeconds: 60,
    blockSeconds: config.MANAGEMENT_BLOCK_MINUTES * 60,
  }),
})

interface DispatcherWiring {
  config: Config
  store: Store
  directory: Directory
  fetch: SafeFetch
  log: Logger
  now(): number
}

function openDispatcher({ config, store, directory, fetch, log, now }: DispatcherWiring): Dispatcher {
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

interface DemoWiring {
  config: Config
  store: Store
  directory: Directory
  box: SecretBox
  log: Logger
  now(): number
}

/** The demo stands on the same footing as a customer: keys, an endpoint and the public URLs. */
async function openDemo({
  config,
  store,
  directory,
  box,
  log,
  now,
}: DemoWiring): Promise<{ deps: DemoDeps; receiverUrl: string } | undefined> {
  const keys = await readDemoKeys(config.DATA_DIR)
  if (!keys) return undefined
  const urls = publicUrls(config)
  const demoUrl = `${urls.agent}/demo`
  const receiverUrl = `${demoUrl}/webhook`
  const endpointOf = (url: string) =>
    directory.byName(keys.domain)?.endpoints.find((endpoint) => endpoint.url === url)

  const deps: DemoDeps = {
    publicKey: keys.public_key,
    apiKey: keys.api_key,
    webhookSecret: () => endpointOf(receiverUrl)?.secret,
    signatureHeader: `X-${config.SERVICE_NAME}-Signature`,
    historyUrl: urls.history,
    agentUrl: urls.agent,
    ingestUrl: urls.ingest,
    demoUrl,
    staticDir: DEMO_DIR,
    async addWebhookEndpoint(url) {
      const domain = directory.byName(keys.domain)
      if (!domain || endpointOf(url)) return
      await addEndpoint(store, box, domain.id, url, now())
      await directory.refresh()
    },
    now,
    warn: (message, error) => log.warn({ err: error }, message),
  }
  return { deps, receiverUrl }
}
