import type { Logger } from 'pino'
import { type AppDeps, buildApp } from '../http/app.ts'
import { createReadinessProbe } from '../http/readiness.ts'
import { freePort } from '../lib/free-port.ts'
import { repeatedTasks } from '../lib/repeat.ts'
import { feedDelayMs } from '../store/change-feed/change-feed.ts'
import { coldObjects } from '../store/cold/cold-objects.ts'
import { domainStore } from '../store/domains/domains.ts'
import { endpointStates } from '../store/domains/endpoint-failures.ts'
import { eventBacklog } from '../store/outbox/outbox.ts'
import { startChangeFeed } from './change-feed.ts'
import { startColdStorage } from './cold-storage.ts'
import { type Config, publicUrls, type ServerContext } from './config.ts'
import { openDelivery, startSending } from './delivery.ts'
import { openDemo } from './demo.ts'
import { feedPlace } from './feed-place.ts'
import { openBackTests, openDecisionBackTests, openKeyUses, openRuleHits, startJobs } from './jobs.ts'
import { openLimits } from './limits.ts'
import { type Network, openNetwork } from './network.ts'
import { openEnrichment, openPipeline } from './pipeline.ts'
import { createRunningState } from './running-state.ts'
import { openStorage } from './storage.ts'
import { openSurfaces } from './surfaces.ts'
import { openTelemetry, serveMetrics } from './telemetry.ts'
import { publishWebhookSettings, webhookSettings } from './webhook-settings.ts'

export interface RunningServer {
  /** The URL it listens on. */
  address: string
  /** The URL of the demo page; undefined without a demo, and where its domain was disabled. */
  demoUrl: string | undefined
  dashboardUrl: string
  /** Takes no more requests, finishes the ones that run, then closes everything. */
  close(): Promise<void>
}

/** Opens every part of the server and listens. Reads no environment variable: settings come in as values. */
export async function startServer(
  settings: Config,
  log: Logger,
  now: () => number = Date.now,
): Promise<RunningServer> {
  const config = await withPorts(settings)
  const urls = publicUrls(config)
  const warn = (message: string, err: unknown): void => log.warn({ err }, message)
  // Closes in reverse order: on a stop, or when a step of the start fails.
  await using opened = new AsyncDisposableStack()
  const tasks = repeatedTasks()
  const context: ServerContext = { config, urls, log, warn, now, opened, tasks }

  const telemetry = await openTelemetry(context)
  const storage = await openStorage(context, { telemetry })
  const { store } = storage
  const demo = await openDemo(context, { storage })
  const sending = webhookSettings(config, demo)
  const delivery = openDelivery(context, { storage, telemetry, settings: sending })
  const enrichment = await openEnrichment(context)
  const network = await openNetwork(context, { storage, telemetry })
  const running = createRunningState(context, {
    store,
    budget: storage.budget,
    network,
    lookUpIp: enrichment.lookUpIp,
  })
  const backTests = openBackTests(context, { storage, enrichment })
  const decisionBackTests = openDecisionBackTests(context, storage)
  const ruleHits = openRuleHits(context, storage)
  const keyUses = openKeyUses(context, storage)
  // As late as that: a stop releases the events before it does what may have to wait for the database.
  await startSending(context, storage, delivery)
  const pipeline = openPipeline(context, { storage, enrichment, network, delivery, telemetry })
  await serveMetrics(context, {
    telemetry,
    state: {
      version: running.version,
      now,
      followUps: running.followUps,
      network: network.load,
      webhooks: delivery.dispatcher.load,
      outbox: () => eventBacklog(store.jobReads),
      endpoints: () => endpointStates(store.jobReads),
      storage: running.storage,
      diskLimits: running.diskLimits,
      domains: () => domainStore(store.jobReads).list(),
      feeds: enrichment.feeds.overview,
      changeFeedDelayMs: async () => (feedPlace(config) ? feedDelayMs(store.jobReads, now()) : undefined),
      coldObjects: async () => (store.cold ? coldObjects(store.jobReads).totals() : undefined),
    },
  })
  const limits = openLimits(context, { store, telemetry })
  const readiness = createReadinessProbe({
    probe: store.probe,
    read: () => domainStore(store.reads).directoryVersion(),
  })
  const parts = { telemetry, storage, delivery, enrichment, network, limits, running, pipeline }
  const deciding = { backTests, decisionBackTests, ruleHits, keyUses }
  const surfaces = await openSurfaces(context, { ...parts, ...deciding, demo })
  enrichment.feeds.start()
  const address = await listen(context, network, { ...surfaces, readiness: readiness.ask })
  await publishWebhookSettings(store, sending)
  startJobs(context, { storage, alerts: delivery.alerts, telemetry, enrichment, running })
  await startChangeFeed(context, { storage, telemetry })
  startColdStorage(context, { storage, telemetry })
  // A stop begins here: load balancers send no more requests, and jobs begin nothing more.
  opened.defer(() => {
    readiness.stop()
    tasks.stop()
  })

  const closing = opened.move()
  return {
    address,
    demoUrl: demo?.url(),
    dashboardUrl: `${urls.management}/dashboard`,
    close: () => closing.disposeAsync(),
  }
}

/** Public URLs contain the ports, so free ones are found before anything is built. */
async function withPorts(settings: Config): Promise<Config> {
  const { HOST, PORT, ADMIN_HOST, ADMIN_PORT } = settings
  return {
    ...settings,
    PORT: PORT === 0 ? await freePort(HOST) : PORT,
    ADMIN_PORT: ADMIN_PORT === 0 ? await freePort(ADMIN_HOST) : ADMIN_PORT,
  }
}

/** @returns the URL of the public listener, or of the only one */
async function listen(
  { config, opened }: ServerContext,
  { channel }: Network,
  surfaces: AppDeps,
): Promise<string> {
  const { HOST: host, PORT: port, ADMIN_HOST, ADMIN_PORT } = config
  const apart = ADMIN_PORT !== undefined
  const admin = apart ? [{ app: buildApp(surfaces, 'admin'), host: ADMIN_HOST, port: ADMIN_PORT }] : []
  const listeners = [...admin, { app: buildApp(surfaces, apart ? 'public' : 'all'), host, port }]
  opened.defer(async () => {
    // First, because a closing server waits for upgraded connections.
    channel.close()
    const cutOffMs = (config.STOP_SECONDS * 1_000) / 2
    const cutOff = setTimeout(() => {
      for (const { app } of listeners) app.server.closeAllConnections()
    }, cutOffMs)
    await Promise.all(listeners.map(({ app }) => app.close()))
    clearTimeout(cutOff)
  })
  // The public one last: a load balancer may send visitors as soon as it answers.
  for (const { app, ...at } of listeners) await app.listen(at)
  const scheme = config.TLS_CERT === undefined ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
