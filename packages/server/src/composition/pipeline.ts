import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { createSafeFetch } from '../deliver/safe-fetch.ts'
import { readCatalogue } from '../enrich/agents/catalogue.ts'
import { type Agents, createAgents } from '../enrich/agents/identify-agent.ts'
import { createKeyDirectories } from '../enrich/agents/key-directories.ts'
import { DIRECTORY_PATH } from '../enrich/agents/key-directory.ts'
import { createWebBotAuth } from '../enrich/agents/web-bot-auth.ts'
import { type CrawlerVerifier, createCrawlerVerifier } from '../enrich/crawlers/crawler-verifier.ts'
import { openDnsResolver } from '../enrich/crawlers/reverse-dns.ts'
import { createFeeds, type Feeds } from '../enrich/feeds/feeds.ts'
import { readFeeds } from '../enrich/feeds/read-feeds.ts'
import { type IpDatabase, openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { createLinker } from '../identify/linker.ts'
import { domainRulesStore, readWeights } from '../store/domains/domain-rules.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import type { Schema } from '../store/schema.ts'
import { createPipeline, type Pipeline, type PipelineDeps } from '../visit/pipeline.ts'
import { ASN_FILE, type ServerContext } from './config.ts'
import type { Delivery } from './delivery.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** What is known about addresses, crawlers and agents. */
export interface Enrichment {
  feeds: Feeds
  lookUpIp: IpDatabase['lookUp']
  crawlers: CrawlerVerifier
  agents: Agents
}

export async function openEnrichment(context: ServerContext): Promise<Enrichment> {
  const { config, log, now, opened } = context
  const feeds = await createFeeds({
    dataDir: config.DATA_DIR,
    feeds: await readFeeds(config.FEEDS),
    log,
    now,
  })
  opened.defer(() => feeds.close())
  const crawlers = createCrawlerVerifier({ crawlerOf: feeds.crawlerOf, resolver: openDnsResolver(), now })
  return {
    feeds,
    lookUpIp: openIpDatabase({ asnFile: ASN_FILE, lists: feeds.lists }).lookUp,
    crawlers,
    agents: await openAgents(context, { feeds, crawlers }),
  }
}

/** Who declared agents are, and where their operators publish their keys. */
async function openAgents(
  { config, now, opened }: ServerContext,
  { feeds, crawlers }: Pick<Enrichment, 'feeds' | 'crawlers'>,
): Promise<Agents> {
  const catalogue = await readCatalogue(config.AGENTS)
  const isKnown = (origin: string): boolean => catalogue.byDirectory(origin) !== undefined
  const ownUrls = catalogue.ownDirectories.values().map((origin) => origin + DIRECTORY_PATH)
  const safeFetch = createSafeFetch({ allowPrivate: false, allowedUrls: new Set(ownUrls) })
  opened.defer(() => safeFetch.close())
  const directories = createKeyDirectories({ fetch: safeFetch.get, isKnown, now, isOff: catalogue.isOff })
  return createAgents({
    catalogue,
    directories,
    checkSignature: createWebBotAuth({ directories, isKnown, now }),
    proveAddress(name, { userAgent, address }) {
      if (feeds.agentOf(address) === name) return 'published_range'
      const crawler = crawlers.verify(userAgent, address)
      if (crawler === 'pending') return 'pending'
      if (crawler?.name === name) return crawler.by
      return crawlers.refutes(userAgent, address) ? 'refuted' : undefined
    },
    settleAddress: ({ userAgent, address }) => crawlers.settle(userAgent, address),
  })
}

interface PipelineParts {
  storage: Storage
  enrichment: Enrichment
  network: Network
  delivery: Delivery
  telemetry: Telemetry
}

/** The way of a visit, from its request to its row and its events. */
export function openPipeline(
  { config, now, opened, warn }: ServerContext,
  { storage, enrichment, network, delivery, telemetry: { tracing } }: PipelineParts,
): Pipeline {
  const { lookUpIp, crawlers, agents } = enrichment
  const linker = createLinker(storage.store.devices)
  const pipeline = createPipeline({
    lookUpIp,
    linker: {
      link: (visit, commit) => tracing.step('identify', () => linker.link(visit, commit)),
      learnWindow: linker.learnWindow,
    },
    verifyCrawler: crawlers.verify,
    identifyAgent: agents.identify,
    agentCheck: agents.settled,
    crawlerCheck: (userAgent, address) =>
      crawlers.verify(userAgent, address) === 'pending' ? crawlers.settle(userAgent, address) : undefined,
    commit: storage.store.commit,
    latest: latestVersion(storage.store.reads),
    enqueue: delivery.dispatcher.enqueue,
    followUps: network.followUps,
    followUpMs: config.FOLLOW_UP_SECONDS * 1_000,
    sticky: storage.sticky,
    storeSnapshots: config.STORE_SNAPSHOTS,
    velocity: config.COUNT_VELOCITY ? storage.subjectHashes : undefined,
    nameEvents: config.WEBHOOK_RETRIES > 0,
    step: tracing.step,
    now,
    pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => {}),
    warn,
  })
  opened.defer(() => pipeline.close())
  return pipeline
}

/** Reads what a version is to be written on top of. */
export const latestVersion =
  (reads: Kysely<Schema>): PipelineDeps['latest'] =>
  async ({ domain, requestId }) => {
    const latest = await identificationStore(reads).latestVersion(domain.id, requestId)
    if (!latest) return undefined
    const active = await domainRulesStore(reads).active(domain.id)
    const { entries } = readVerdict(latest.verdict)
    return {
      ver: latest.ver,
      entries,
      ownRules: active && { version: active.version, weights: readWeights(active) },
    }
  }
