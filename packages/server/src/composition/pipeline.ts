import { type CrawlerVerifier, createCrawlerVerifier } from '../enrich/crawlers/crawler-verifier.ts'
import { openDnsResolver } from '../enrich/crawlers/reverse-dns.ts'
import { createFeeds, type Feeds } from '../enrich/feeds/feeds.ts'
import { readFeeds } from '../enrich/feeds/read-feeds.ts'
import { type IpDatabase, openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { createLinker } from '../identify/linker.ts'
import { createPipeline, type Pipeline } from '../visit/pipeline.ts'
import { ASN_FILE, type ServerContext } from './config.ts'
import type { Delivery } from './delivery.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** What is known about addresses and crawlers. */
export interface Enrichment {
  feeds: Feeds
  lookUpIp: IpDatabase['lookUp']
  crawlers: CrawlerVerifier
}

export async function openEnrichment({ config, log, now, opened }: ServerContext): Promise<Enrichment> {
  const feeds = await createFeeds({
    dataDir: config.DATA_DIR,
    feeds: await readFeeds(config.FEEDS),
    log,
    now,
  })
  opened.defer(() => feeds.close())
  return {
    feeds,
    lookUpIp: openIpDatabase({ asnFile: ASN_FILE, lists: feeds.lists }).lookUp,
    crawlers: createCrawlerVerifier({
      crawlerOf: feeds.crawlerOf,
      resolver: openDnsResolver(),
      now,
    }),
  }
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
  const { lookUpIp, crawlers } = enrichment
  const linker = createLinker(storage.store.devices)
  const pipeline = createPipeline({
    lookUpIp,
    linker: {
      link: (visit, commit) => tracing.step('identify', () => linker.link(visit, commit)),
      learnWindow: linker.learnWindow,
    },
    verifyCrawler: crawlers.verify,
    crawlerCheck: (userAgent, address) =>
      crawlers.verify(userAgent, address) === 'pending' ? crawlers.settle(userAgent, address) : undefined,
    commit: storage.store.commit,
    enqueue: delivery.dispatcher.enqueue,
    followUps: network.followUps,
    followUpMs: config.FOLLOW_UP_SECONDS * 1_000,
    sticky: storage.sticky,
    storeSnapshots: config.STORE_SNAPSHOTS,
    nameEvents: config.WEBHOOK_RETRIES > 0,
    step: tracing.step,
    now,
    warn,
  })
  opened.defer(() => pipeline.close())
  return pipeline
}
