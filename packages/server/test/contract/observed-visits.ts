import { randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type HistoryRow, IdentificationScored } from '@inkling/contract'
import { expect, vi } from 'vitest'
import { openDirectory } from '../../src/auth/directory.ts'
import { latestVersion } from '../../src/composition/pipeline.ts'
import { createCrawlerVerifier } from '../../src/enrich/crawlers/crawler-verifier.ts'
import { createFeeds, type Feeds } from '../../src/enrich/feeds/feeds.ts'
import { readFeeds } from '../../src/enrich/feeds/read-feeds.ts'
import { openIpDatabase } from '../../src/enrich/ip/ip-facts.ts'
import { createLinker } from '../../src/identify/linker.ts'
import { createLog } from '../../src/lib/log.ts'
import { createFollowUps, type FollowUps } from '../../src/observe/follow/follow-ups.ts'
import { createReachability } from '../../src/observe/follow/reachability.ts'
import { openStickyVerdicts } from '../../src/store/identifications/sticky-verdicts.ts'
import type { OutboxRow } from '../../src/store/outbox/outbox.ts'
import { noTracing } from '../../src/telemetry/tracing.ts'
import type { Identified } from '../../src/visit/identification.ts'
import { createPipeline } from '../../src/visit/pipeline.ts'
import { type DnsAnswer, type DnsServer, startDnsServer } from '../dns-server.ts'
import { identified } from '../identified.ts'
import { startTestServer, type TestServer } from '../running-server.ts'
import { rowOf } from './callers.ts'
import { publishLists } from './published-lists.ts'
import { ADDRESSES, ROOMY_SETTINGS } from './roomy-settings.ts'

const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))

/** On no list; its reverse DNS name resolves to it. */
export const NAMED_CRAWLER = '87.250.224.1'
const ZONE: Record<string, DnsAnswer> = {
  '1.224.250.87.in-addr.arpa PTR': ['crawl.yandex.com'],
  'crawl.yandex.com A': [NAMED_CRAWLER],
}

/** A visit in both read paths. */
export interface ReadVisit {
  row: HistoryRow
  data: IdentificationScored['data']
  /** Number of events sent for it so far. */
  events: number
}

export interface ObservedVisits {
  server: TestServer
  followUps: FollowUps
  /** Resolves with the request ID once the first version is stored. */
  visit(given?: Partial<Identified>): Promise<string>
  /** Resolves once its event is sent. */
  read(requestId: string): Promise<ReadVisit>
  close(): Promise<void>
}

/**
 * A running server for History, and a pipeline on the same database for evidence that a connection to a loopback
 * address cannot have. Events are recorded instead of sent.
 */
export async function startObservedVisits(): Promise<ObservedVisits> {
  const server = await startTestServer({
    settings: ROOMY_SETTINGS,
    endpoints: ['https://receiver.example/hook'],
  })
  const domain = (await openDirectory(server.store, server.box)).byName(server.keys.domain)
  if (!domain) throw new Error('no domain')
  const place = { ...identified().domain, id: domain.id, namespace: domain.namespace }
  const feeds = await openFeeds(server.directory)
  const dns = await startDnsServer((question) => ZONE[question] ?? 'no_such_name')
  const reachability = createReachability()
  reachability.add(ADDRESSES.home)
  const followUps = createFollowUps({ turn: true, reachability, monotonicMs: () => performance.now() })
  const sent: IdentificationScored[] = []
  const problems: unknown[] = []
  const pipeline = createPipeline({
    ...addressFacts(feeds, dns),
    commit: server.store.commit,
    latest: latestVersion(server.store.reads),
    enqueue: (entries) => sent.push(...entries.map(eventOf)),
    followUps,
    followUpMs: 60_000,
    linker: createLinker(server.store.devices),
    sticky: await openStickyVerdicts(server.store.reads, Date.now),
    storeSnapshots: true,
    nameEvents: false,
    step: noTracing.step,
    now: Date.now,
    pause,
    warn: (_, error) => problems.push(error),
  })

  return {
    server,
    followUps,
    async visit(given = {}) {
      const requestId = randomUUID()
      await pipeline.process(identified({ requestId, domain: place, atMs: Date.now(), ...given }), domain)
      return requestId
    },
    async read(requestId) {
      const eventsNow = () => sent.filter(({ data }) => data.request_id === requestId)
      const event = await vi.waitFor(() => {
        const [first] = eventsNow()
        if (!first) throw new Error('no event has left')
        return first
      }, WAIT)
      return { row: await rowOf(server, requestId), data: event.data, events: eventsNow().length }
    },
    async close() {
      await pipeline.close()
      await feeds.close()
      await dns.close()
      await server.close()
      expect(problems).toEqual([])
    },
  }
}

/** For `vi.waitFor`; long enough for a busy machine. */
export const WAIT = { timeout: 20_000, interval: 10 }

const eventOf = ({ body }: OutboxRow): IdentificationScored =>
  IdentificationScored.parse(JSON.parse(Buffer.from(body).toString()))

/** Looks up addresses in the lists, and crawlers by their names. */
function addressFacts(feeds: Feeds, dns: DnsServer) {
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const { verify, settle } = createCrawlerVerifier({ crawlerOf: feeds.crawlerOf, resolver })
  return {
    lookUpIp: openIpDatabase({ asnFile: ASN_FILE, lists: feeds.lists }).lookUp,
    verifyCrawler: verify,
    crawlerCheck: (userAgent: string, address: string) =>
      verify(userAgent, address) === 'pending' ? settle(userAgent, address) : undefined,
    identifyAgent: () => undefined,
    agentCheck: () => undefined,
  }
}

/** The feeds as `inkling feeds update` leaves them. */
async function openFeeds(dataDir: string): Promise<Feeds> {
  const feeds = await createFeeds({
    dataDir,
    feeds: await readFeeds(await publishLists(dataDir)),
    log: createLog('silent'),
  })
  const failed = (await feeds.update()).filter(({ state }) => state !== 'current')
  if (failed.length > 0) throw new Error(`lists could not be read: ${JSON.stringify(failed)}`)
  return feeds
}
