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
/** How long the endpoint has been told of visits; its log would otherwise be larger than all the rest. */
const DELIVERING_DAYS = 4
const ENDPOINT_URL = 'https://backend.example/inkling'

export interface DemoSeed {
  domain: string
  days: number
  /** About how many identifications. */
  count: number
  seed: number
  endMs: number
  /** Whether the data may join identifications that are there already. */
  add: boolean
  onProgress(written: number, all: number): void
}

/** What keeps the demo from being written; its message is for a person. */
export class DemoRefused extends Error {}

/**
 * Writes a month of made-up traffic into a domain. No server may write to the same database meanwhile.
 * @returns how many identifications were written
 */
export async function seedDemo(store: Store, box: SecretBox, options: DemoSeed): Promise<number> {
  const domain = await domainStore(store.reads).find(options.domain)
  if (!domain) throw new DemoRefused(`domain ${options.domain} is not registered`)
  if (!options.add && (await anyOf(store, domain.id)))
    throw new DemoRefused(`domain ${options.domain} has identifications; with --add the demo joins them`)

  // First only to know which addresses there are; then with the demo's lists of some of them.
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  const { visits, demo } = await planVisits({ host: domain.name, ...options }, lookUp)
  const [first] = visits
  if (first && (await isWritten(store, first.requestId)))
    throw new DemoRefused('the demo of this seed is there already')

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

/** The number after the highest that a device ever had; erased ones are never given again. */
async function nextDevice({ reads }: Store): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'devices'`.execute(
    reads,
  )
  return (rows[0]?.seq ?? 0) + 1
}

/** An endpoint with a past and switched off: nothing of the demo leaves the machine. */
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
