import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { newEndpoint } from '../../packages/server/src/deliver/webhook-endpoints.ts'
import { openIpDatabase } from '../../packages/server/src/enrich/ip/ip-facts.ts'
import type { SecretBox } from '../../packages/server/src/lib/secret-box.ts'
import { uuidBytesOrNil, uuidToText } from '../../packages/server/src/lib/uuid.ts'
import { domainStore, endpointStore } from '../../packages/server/src/store/domains/domains.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { demoPipeline } from './demo-pipeline.ts'
import { planVisits } from './plan-visits.ts'
import { DAY_MS } from './visit-rhythm.ts'
import { writeVisits } from './write-visits.ts'

const ASN_FILE = fileURLToPath(new URL('../../packages/server/data/asn.bin', import.meta.url))
/**
 * The endpoint received events for this long only; a full month would make its log the largest part of the
 * data.
 */
const DELIVERING_DAYS = 4
const ENDPOINT_URL = 'https://backend.example/inkling'

export interface DemoSeed {
  domain: string
  days: number
  /** Approximate number of identifications. */
  count: number
  seed: number
  endMs: number
  /** Whether the domain may already have identifications. */
  add: boolean
  onProgress(written: number, all: number): void
}

/** The demo cannot be written; users see the message. */
export class DemoRefused extends Error {}

/**
 * Writes a month of generated traffic into a domain. No server may write to the database at the same time.
 * @returns the number of identifications written
 */
export async function seedDemo(store: Store, box: SecretBox, options: DemoSeed): Promise<number> {
  const domain = await domainStore(store.reads).find(options.domain)
  if (!domain) throw new DemoRefused(`domain ${options.domain} is not registered`)
  if (!options.add && (await anyOf(store, domain.id)))
    throw new DemoRefused(
      `domain ${options.domain} already has identifications; use --add to add the demo to them`,
    )

  // The first pass only finds available addresses; the second one uses the demo's lists of some of them.
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  const { visits, demo } = await planVisits({ host: domain.name, ...options }, lookUp)
  const [first] = visits
  if (first && (await isWritten(store, first.requestId)))
    throw new DemoRefused('the demo data of this seed exists already')

  const endpoint = await addQuietEndpoint(store, box, domain.id, options.endMs)
  const process = demoPipeline({
    domain: { id: domain.id, name: domain.name, namespace: uuidToText(domain.namespace) },
    lookUp: openIpDatabase({ asnFile: ASN_FILE, lists: demo.lists }).lookUp,
    firstDevice: await nextDevice(store),
  })
  await writeVisits(visits, {
    store,
    process,
    delivering: {
      endpointId: endpoint,
      sinceMs: options.endMs - DELIVERING_DAYS * DAY_MS,
      seed: options.seed,
    },
    onWritten: (written) => options.onProgress(written, visits.length),
  })
  return visits.length
}

async function anyOf({ reads }: Store, domainId: number): Promise<boolean> {
  const found = await reads
    .selectFrom('identifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

async function isWritten({ reads }: Store, requestId: string): Promise<boolean> {
  const found = await reads
    .selectFrom('identifications')
    .select('id')
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirst()
  return found !== undefined
}

/** The next device number; numbers of erased devices are never reused. */
async function nextDevice({ reads }: Store): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'devices'`.execute(
    reads,
  )
  return (rows[0]?.seq ?? 0) + 1
}

/** A disabled endpoint with a delivery history: the demo sends nothing. */
async function addQuietEndpoint(
  store: Store,
  box: SecretBox,
  domainId: number,
  nowMs: number,
): Promise<number> {
  const { row } = newEndpoint(box, domainId, ENDPOINT_URL, nowMs)
  const added = await store.writes
    .transaction()
    .execute((transaction) => endpointStore(transaction).add({ ...row, enabled: 0, state: 'verified' }))
  return added.id
}
