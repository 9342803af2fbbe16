import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createAccessTokens } from '../auth/access-token.ts'
import { openDirectory } from '../auth/directory.ts'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { createSafeFetch } from '../deliver/safe-fetch.ts'
import { renewDemoKey } from '../demo/demo-keys.ts'
import { openCrawlerResolver } from '../enrich/crawlers/crawler-resolver.ts'
import { createCrawlerVerifier } from '../enrich/crawlers/crawler-verifier.ts'
import { createFeeds } from '../enrich/feeds/create-feeds.ts'
import { readFeeds } from '../enrich/feeds/read-feeds.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { createSearch } from '../history/search.ts'
import { buildApp } from '../http/app.ts'
import { createReadinessProbe } from '../http/readiness.ts'
import { createLinker } from '../identify/linker.ts'
import { createClientAddress } from '../ingest/client-address.ts'
import { createBodyDecoder } from '../ingest/decode-body.ts'
import { createBackTests } from '../jobs/rescore/back-tests.ts'
import { boundedWork } from '../lib/bounded-work.ts'
import { every } from '../lib/every.ts'
import { freePort } from '../lib/free-port.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { seldom } from '../lib/seldom.ts'
import { domainStore } from '../store/domains.ts'
import { eventBacklog } from '../store/health-queries.ts'
import { identificationStore } from '../store/identifications.ts'
import { openStore } from '../store/open-store.ts'
import { snapshotStore } from '../store/snapshots.ts'
import { openStickyVerdicts } from '../store/sticky-verdicts.ts'
import type { Store } from '../store/store.ts'
import { createPipeline } from '../visit/pipeline.ts'
import { type Config, publicUrls, storePlace } from './config.ts'
import { openDispatcher } from './delivery.ts'
import { openDemo } from './demo.ts'
import { startJobs } from './jobs.ts'
import { openLimits } from './limits.ts'
import { openNetwork } from './network.ts'
import { openRunningState } from './open-running-state.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'

const AGENT_SCRIPT = new URL('../../../agent/dist/agent.js', import.meta.url)
const DASHBOARD_DIR = fileURLToPath(new URL('../../../dashboard/dist/dashboard/', import.meta.url))
const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))

/** Identifications between request and commit: about half a second of full load on two cores. */
const INGEST_UNDER_WAY_MAX = 2_048
/** While the database is gone these would fail several times in a second. */
const FAILURE_TOLD_MS = 10_000
/** Changes made by the command line are seen within a second. */
const DIRECTORY_REFRESH_MS = 250
/** Entries left in the outbox are looked for this often. */
const OUTBOX_SWEEP_MS = 500
/** What another process found out counts here this soon. */
const STICKY_REFRESH_MS = 1_000

export interface RunningServer {
  /** Where it listens. */
  address: string
  /** Address of the demo page, where there is one. */
  demoUrl: string | undefined
  dashboardUrl: string
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
  // What is opened is closed in the reverse order, at the stop and when the start fails on the way.
  await using opened = new AsyncDisposableStack()
  const telemetry = await openTelemetry(config, log)
  opened.defer(() => telemetry.tracing.close())
  const { batchCommitted } = telemetry.metrics
  const tell = seldom<{ message: string; err: unknown }>(FAILURE_TOLD_MS, ({ message, err }, times) =>
    log.warn({ err, times }, message),
  )
  const store = telemetry.watchedStore(
    await openStore({
      ...storePlace(config),
      batchCommitted,
      warn: (message, err) => tell({ message, err }),
    }),
  )
  opened.defer(() => store.close())
  const running = await serve({ config, store, telemetry, log, now }, opened)
  const closing = opened.move()
  return { ...running, close: () => closing.disposeAsync() }
}

interface ServerWiring {
  config: Config
  store: Store
  telemetry: Telemetry
  log: Logger
  now(): number
}

async function serve(
  { config, store, telemetry, log, now }: ServerWiring,
  opened: AsyncDisposableStack,
): Promise<Omit<RunningServer, 'close'>> {
  const { metrics, tracing } = telemetry
  const urls = publicUrls(config)
  const secrets = await openServerSecrets(store.secrets)
  const box = createSecretBox(secrets.secret_box_key)
  const directory = await openDirectory(store, box)
  const demo = await openDemo({ config, store, directory, box, log, now })
  const fetch = createSafeFetch({
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    allowedUrls: new Set(demo ? [demo.receiverUrl] : []),
  })
  opened.defer(() => fetch.close())
  const dispatcher = openDispatcher({
    config,
    store,
    directory,
    fetch,
    tracing,
    webhookSent: metrics.webhookSent,
    log,
    now,
  })
  const decoder = createBodyDecoder(secrets.ingest_private_key)
  const feeds = await createFeeds({
    dataDir: config.DATA_DIR,
    feeds: await readFeeds(config.FEEDS),
    log,
    now,
  })
  opened.defer(() => feeds.close())
  const ipDatabase = openIpDatabase({ asnFile: ASN_FILE, lists: feeds.lists })
  const crawlers = createCrawlerVerifier({
    crawlerOf: feeds.crawlerOf,
    resolver: openCrawlerResolver(),
    now,
  })
  const sticky = await openStickyVerdicts(store.reads, now())
  const network = await openNetwork({
    config,
    urls,
    directory,
    secret: secrets.secret_box_key,
    turnMessage: metrics.turnMessage,
    log,
    now,
  })
  opened.defer(() => network.close())
  opened.defer(() => dispatcher.drain())

  const running = openRunningState({ config, store, network, lookUpIp: ipDatabase.lookUp, now })
  const warn = (message: string, error: unknown) => log.warn({ err: error }, message)
  const backTests = createBackTests({ store, lookUpIp: ipDatabase.lookUp, now, warn })
  opened.defer(() => backTests.close())

  const linker = createLinker(store.devices)
  const pipeline = createPipeline({
    lookUpIp: ipDatabase.lookUp,
    linker: { link: (visit, commit) => tracing.step('identify', () => linker.link(visit, commit)) },
    verifyCrawler: crawlers.verify,
    crawlerCheck: (userAgent, address) =>
      crawlers.verify(userAgent, address) === 'pending' ? crawlers.settle(userAgent, address) : undefined,
    commit: store.commit,
    enqueue: dispatcher.enqueue,
    followUps: network.followUps,
    followUpMs: config.FOLLOW_UP_SECONDS * 1_000,
    sticky,
    storeSnapshots: config.STORE_SNAPSHOTS,
    nameEvents: config.WEBHOOK_RETRIES > 0,
    step: tracing.step,
    now,
    warn,
  })
  opened.defer(() => pipeline.close())
  const listener = await telemetry.serve({
    version: running.version,
    now,
    followUps: running.followUps,
    webhooks: dispatcher.load,
    outbox: () => eventBacklog(store.jobReads),
    storage: running.storage,
    domains: () => domainStore(store.jobReads).list(),
    feeds: feeds.overview,
  })
  opened.defer(() => listener?.close())
  const limits = openLimits(config, store.pool)
  const clientAddress = createClientAddress(config.TRUST_PROXY)

  const readiness = createReadinessProbe(() => domainStore(store.reads).directoryVersion())
  const app = buildApp({
    log,
    urls,
    ingest: {
      directory,
      clientAddress,
      decoder: {
        ...decoder,
        decode: (body, requestId) => tracing.step('decode', () => decoder.decode(body, requestId)),
      },
      limit: metrics.countedLimit('ingest', limits.ingest),
      work: boundedWork(INGEST_UNDER_WAY_MAX),
      async process(received, domain) {
        const startedMs = performance.now()
        const outcome = await pipeline.process(received, domain)
        running.latency.add(now(), performance.now() - startedMs)
        return outcome
      },
      mark: pipeline.mark,
      observe: network.observe,
      ended: metrics.ingestEnded,
      now,
    },
    history: {
      directory,
      search: createSearch(identificationStore(store.reads)),
      networkOf: snapshotStore(store.reads).network,
      limit: metrics.countedLimit('history', limits.history),
    },
    management: {
      directory,
      store,
      secrets: box,
      limit: metrics.countedLimit('management', limits.management),
      clientAddress,
      serviceName: config.SERVICE_NAME,
      historyUrl: urls.history,
      allowPrivateWebhooks: config.WEBHOOK_ALLOW_PRIVATE,
      now,
    },
    dashboard: {
      baseUrl: urls.management,
      installation: {
        agentUrl: urls.agent,
        ingestUrl: urls.ingest,
        historyUrl: urls.history,
        serviceName: config.SERVICE_NAME,
      },
      staticDir: DASHBOARD_DIR,
    },
    account: {
      store,
      directory,
      secrets: box,
      tokens: createAccessTokens(secrets.secret_box_key, now),
      throttle: limits.login,
      clientAddress,
      sender: { fetch, serviceName: config.SERVICE_NAME, now },
      allowPrivateWebhooks: config.WEBHOOK_ALLOW_PRIVATE,
      baseUrl: urls.management,
      async keyRotated(domain, kind, key) {
        // The demo has no Secret Key.
        if (kind !== 'secret') await renewDemoKey(config.DATA_DIR, domain, { [`${kind}_key`]: key })
      },
      feeds,
      backTests,
      running,
      now,
      warn,
    },
    agentScript: {
      script: await readFile(AGENT_SCRIPT, 'utf8'),
      ingestUrl: urls.ingest,
      serverKey: decoder.publicKey,
      followUp: config.FOLLOW_UP_SECONDS > 0,
    },
    demo: demo?.deps,
    readiness: readiness.ask,
    watchSurface: telemetry.watchSurface,
    serve: network.front.serve,
    upgrade: network.channel.upgrade,
  })
  opened.defer(async () => {
    // First, because a server that closes waits for connections that were upgraded.
    network.channel.close()
    const drainMs = (config.STOP_SECONDS * 1_000) / 2
    const cutting = setTimeout(() => app.server.closeAllConnections(), drainMs)
    await app.close()
    clearTimeout(cutting)
  })
  feeds.start()
  await app.listen({ host: config.HOST, port: config.PORT })

  const repeat = (pauseMs: number, task: () => Promise<unknown>, failure: string): void => {
    const failed = seldom<unknown>(FAILURE_TOLD_MS, (err, times) => log.warn({ err, times }, failure))
    const timer = every(pauseMs, task, failed)
    opened.defer(() => timer.stop())
  }
  repeat(DIRECTORY_REFRESH_MS, directory.refresh, 'keys could not be reread')
  repeat(STICKY_REFRESH_MS, sticky.refresh, 'sticky verdicts could not be reread')
  repeat(OUTBOX_SWEEP_MS, dispatcher.sweep, 'the outbox could not be read')
  // Before its timer is stopped, which waits for the sweep under way.
  opened.defer(() => dispatcher.stopSweeping())
  const jobs = startJobs({ config, store, running, watched: metrics.watchedJob, now, warn })
  opened.defer(() => jobs.stop())
  // The first thing that a stop does.
  opened.defer(() => readiness.stop())
  const scheme = config.TLS_CERT === undefined ? 'http' : 'https'
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return {
    address: `${scheme}://${host}:${config.PORT}`,
    demoUrl: demo?.deps.demoUrl,
    dashboardUrl: `${urls.management}/dashboard`,
  }
}
