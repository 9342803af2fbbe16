import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AccountDeps } from '../account/handler.ts'
import { createAssess } from '../assess/assess.ts'
import type { AssessRoutesDeps } from '../assess/assess-routes.ts'
import { findPage } from '../assess/find-page.ts'
import { createAccessTokens } from '../auth/access-token.ts'
import { type AdmitKey, createKeyCheck } from '../auth/admit-key.ts'
import type { KeyUses } from '../auth/key-uses.ts'
import { createAnswers } from '../decide/answer-question.ts'
import type { DecideRoutesDeps } from '../decide/decide-routes.ts'
import type { RuleHits } from '../decide/rule-hits.ts'
import { sealVerdict } from '../decide/seal-verdict.ts'
import { createVisitArrivals, type VisitArrivals } from '../decide/visit-arrivals.ts'
import { renewDemoKey } from '../demo/demo-keys.ts'
import type { AppDeps } from '../http/app.ts'
import { createClientAddress } from '../ingest/client-address.ts'
import { createDisturbances } from '../ingest/disturbances.ts'
import { createBodyDecoder } from '../ingest/ingest-body.ts'
import type { IngestDeps } from '../ingest/ingest-routes.ts'
import { createJoinKeys, type JoinKeys } from '../ingest/join-keys.ts'
import { createSeenBodies } from '../ingest/seen-bodies.ts'
import { createTicketRate } from '../ingest/ticket-rate.ts'
import { createTickets } from '../ingest/tickets.ts'
import type { DecisionBackTests } from '../jobs/decision-back-test/decision-back-tests.ts'
import type { WeightsBackTests } from '../jobs/rescore/weights-back-tests.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { createConcurrencyLimit } from '../lib/limits.ts'
import { latestTicketStates } from '../store/identifications/ticket-states.ts'
import type { Pipeline } from '../visit/pipeline.ts'
import type { ServerContext } from './config.ts'
import type { Delivery } from './delivery.ts'
import type { Demo } from './demo.ts'
import type { Limits } from './limits.ts'
import type { Network } from './network.ts'
import { openPeople } from './people.ts'
import type { Enrichment } from './pipeline.ts'
import type { ReportedState } from './running-state.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

const AGENT_SCRIPT = new URL('../../../agent/dist/agent.js', import.meta.url)
const DASHBOARD_DIR = fileURLToPath(new URL('../../../dashboard/dist/dashboard/', import.meta.url))

/** Identifications between request and commit: about half a second of full load on two cores. */
const INGEST_CONCURRENCY = 2_048

export interface Parts {
  telemetry: Telemetry
  storage: Storage
  delivery: Delivery
  enrichment: Enrichment
  network: Network
  limits: Limits
  running: ReportedState
  backTests: WeightsBackTests
  decisionBackTests: DecisionBackTests
  ruleHits: RuleHits
  keyUses: KeyUses
  pipeline: Pipeline
  demo: Demo | undefined
}

/** What each surface of the app needs, from the parts of the server. */
export async function openSurfaces(
  context: ServerContext,
  parts: Parts,
): Promise<Omit<AppDeps, 'readiness'>> {
  const { config, urls, log, now } = context
  const { storage, telemetry, network, limits } = parts
  const { store, directory, box } = storage
  const decoder = createBodyDecoder(storage.secrets.ingest_private_key)
  const joinKeys = createJoinKeys(storage.secrets.secret_box_key, now)
  const arrivals = createVisitArrivals()
  const admit = createKeyCheck({ directory, uses: parts.keyUses, now })
  const operator = account(context, parts)
  return {
    log,
    endsTls: config.TLS_CERT !== undefined,
    urls,
    ingest: ingest(context, parts, { decoder, joinKeys, arrivals }),
    history: { directory, admit, store, limit: limits.history },
    assess: assess(context, parts, { admit, joinKeys }),
    decide: decide(context, parts, { admit, arrivals }),
    keyReads: { account: operator, admit, limit: limits.history },
    labels: { admit, store, now, monotonicMs: () => performance.now() },
    management: {
      directory,
      store,
      secrets: box,
      limit: limits.management,
      clientAddress: createClientAddress(config.TRUST_PROXY),
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
    account: operator,
    assistants: {
      account: operator,
      version: parts.running.version,
      limit: limits.assistants,
      oauthLimit: limits.oauth,
    },
    landing: { demoUrl: () => parts.demo?.url() },
    version: parts.running.version,
    agentScript: {
      script: await readFile(AGENT_SCRIPT, 'utf8'),
      ingestUrl: urls.ingest,
      serverKey: decoder.publicKey,
      followUp: config.FOLLOW_UP_SECONDS > 0,
      loaded: scriptLoaded(context, parts),
    },
    demo: parts.demo?.deps,
    watchSurface: telemetry.watchSurface,
    serve: network.listener.serve,
    upgrade: network.channel.upgrade,
  }
}

/** Notes where the agent's script is loaded from, and by which TLS. */
function scriptLoaded(
  { config }: ServerContext,
  { network, pipeline }: Parts,
): AppDeps['agentScript']['loaded'] {
  const clientAddress = createClientAddress(config.TRUST_PROXY)
  return (request) => {
    const address = clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
    pipeline.scriptLoaded({ address, ...network.observe(request, { requestId: '', address }) })
  }
}

function ingest(
  { config, urls, now, warn }: ServerContext,
  { storage, telemetry: { metrics, tracing }, limits, network, pipeline, running }: Parts,
  {
    decoder,
    joinKeys,
    arrivals,
  }: { decoder: ReturnType<typeof createBodyDecoder>; joinKeys: JoinKeys; arrivals: VisitArrivals },
): IngestDeps {
  return {
    directory: storage.directory,
    clientAddress: createClientAddress(config.TRUST_PROXY),
    decoder: {
      ...decoder,
      decode: (body, requestId) => tracing.step('decode', () => decoder.decode(body, requestId)),
    },
    budget: storage.budget,
    publicUrl: urls.ingest,
    limit: limits.ingest,
    beaconLimit: limits.beacon,
    ticketLimit: limits.tickets,
    tickets: createTickets(storage.secrets.secret_box_key, now),
    ticketRate: createTicketRate({
      latest: (domainId) => latestTicketStates(storage.store.reads, domainId),
      warn,
    }),
    disturbances: createDisturbances(now),
    joinKeys,
    seenBodies: createSeenBodies(),
    work: createConcurrencyLimit(INGEST_CONCURRENCY),
    async process(received, domain, stored) {
      const startedMs = performance.now()
      const outcome = await pipeline.process(received, domain, stored)
      arrivals.stored(domain.id, received.requestId)
      running.latency.add(now(), performance.now() - startedMs)
      return outcome
    },
    sealVerdict: (domain, requestId, scored) => sealVerdict(domain, requestId, scored, now()),
    mark: pipeline.mark,
    observe: network.observe,
    ticketChecked: metrics.ticketChecked,
    ended: metrics.ingestEnded,
    now,
  }
}

/** At full load a request takes a tenth of a millisecond; more wait for the database. */
const ASSESS_CONCURRENCY = 512

function assess(
  { config, now }: ServerContext,
  { storage, enrichment }: Parts,
  { admit, joinKeys }: { admit: AdmitKey; joinKeys: JoinKeys },
): AssessRoutesDeps {
  const { lookUpIp, crawlers, agents } = enrichment
  const monotonicMs = () => performance.now()
  return {
    admit,
    assess: createAssess({
      lookUpIp,
      verifyCrawler: crawlers.verify,
      identifyAgent: agents.identify,
      agentCheck: agents.settled,
      findPage: (...page) => findPage(storage.store, ...page),
      joinKey: joinKeys.seal,
      now,
      monotonicMs,
    }),
    perSecond: config.ASSESS_LIMIT_PER_SECOND,
    work: createConcurrencyLimit(ASSESS_CONCURRENCY),
    monotonicMs,
  }
}

/** Most of them wait for an identification, which takes nothing but memory. */
const DECIDE_CONCURRENCY = 1_024

function decide(
  { now }: ServerContext,
  { storage: { store }, ruleHits }: Parts,
  { admit, arrivals }: { admit: AdmitKey; arrivals: VisitArrivals },
): DecideRoutesDeps {
  const monotonicMs = () => performance.now()
  return {
    admit,
    answer: createAnswers({ store, arrivals, hits: ruleHits, now, monotonicMs }),
    work: createConcurrencyLimit(DECIDE_CONCURRENCY),
    monotonicMs,
  }
}

function account(
  context: ServerContext,
  { storage, telemetry, delivery, enrichment, limits, running, backTests, decisionBackTests }: Parts,
): AccountDeps {
  const { config, urls, now, warn } = context
  return {
    ...openPeople(context, { storage, telemetry }),
    store: storage.store,
    directory: storage.directory,
    secrets: storage.box,
    tokens: createAccessTokens(storage.secrets.secret_box_key, now),
    throttle: limits.login,
    clientAddress: createClientAddress(config.TRUST_PROXY),
    sender: delivery.attemptDeps,
    alerts: delivery.alerts,
    testSends: limits.testSends,
    allowPrivateWebhooks: config.WEBHOOK_ALLOW_PRIVATE,
    secretOverlapMs: config.WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS,
    baseUrl: urls.management,
    keyRotated: (domain, kind, key) => renewDemoKey(config.DATA_DIR, domain, kind, key),
    agentCatalogue: enrichment.agents.catalogue,
    feeds: enrichment.feeds,
    lookUpIp: enrichment.lookUpIp,
    backTests,
    decisionBackTests,
    running,
    now,
    warn,
  }
}
