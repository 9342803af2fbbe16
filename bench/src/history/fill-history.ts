import { randomFillSync } from 'node:crypto'
import { domainStore } from '../../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import type { NewIdentification } from '../../../packages/server/src/store/store.ts'
import { progress } from '../lib/progress.ts'
import { TYPICAL_VERDICT } from '../lib/typical-verdict.ts'

/** Rows to hand over before generating more. */
const CHUNK = 2_048
const PROGRESS_EVERY = 100_000

export interface Filled {
  /** Request IDs to search for, spread over all rows. */
  requestIds: string[]
  /** The device that many rows have. */
  busyDevice: string
}

/**
 * Writes rows through the store like ingest does, with random identifiers.
 * @param busyRows how many rows belong to one device
 */
export async function fillHistory(
  dataDir: string,
  domain: string,
  rows: number,
  busyRows: number,
): Promise<Filled> {
  const store = await openStore({ dataDir })
  const found = await domainStore(store.reads).find(domain)
  if (!found) throw new Error(`${domain} is not registered`)
  const busyDevice = randomBytes()
  const requestIds: string[] = []
  const firstAt = Date.now() - rows

  for (let done = 0; done < rows; done += CHUNK) {
    const chunk = Array.from({ length: Math.min(CHUNK, rows - done) }, (_, index) => {
      const number = done + index
      // Spread evenly, so that the rows of the busy device are among all others.
      const busy = Math.floor((number * busyRows) / rows) !== Math.floor(((number + 1) * busyRows) / rows)
      return row(found.id, firstAt + number, busy ? busyDevice : randomBytes())
    })
    requestIds.push(
      ...chunk.filter((_, index) => index % 100 === 0).map(({ request_id }) => uuid(request_id)),
    )
    await Promise.all(
      chunk.map((made) =>
        store.commit({ type: 'identification', row: made, snapshot: undefined, outbox: [] }),
      ),
    )
    if (Math.floor(done / PROGRESS_EVERY) !== Math.floor((done + CHUNK) / PROGRESS_EVERY))
      progress(`${Math.min(rows, done + CHUNK).toLocaleString('en')} of ${rows.toLocaleString('en')} rows`)
  }
  await store.close()
  return { requestIds, busyDevice: uuid(busyDevice) }
}

const randomBytes = (): Uint8Array => randomFillSync(new Uint8Array(16))

function uuid(bytes: Uint8Array | null): string {
  const hex = Buffer.from(bytes ?? new Uint8Array(16)).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const row = (domainId: number, atMs: number, device: Uint8Array): NewIdentification => ({
  domain_id: domainId,
  request_id: randomBytes(),
  session_id: randomBytes(),
  cookie_id: randomBytes(),
  device_id: device,
  visitor_id: device,
  user_hid: `account-${atMs % 200_000}`,
  created_at: atMs,
  ver: atMs,
  host: 'bench.example',
  ip: Math.floor(Math.random() * 2 ** 32),
  os: 'Windows',
  browser: 'Chrome',
  device_type: 'desktop',
  country: 'Germany',
  connection_type: 'proxy',
  score: 10,
  flags: 32,
  verdict: TYPICAL_VERDICT,
  web_rtc_ip: null,
  web_rtc_country: null,
  web_rtc_connection_type: null,
  scanner_web_rtc_ip: null,
  scanner_web_rtc_country: null,
  scanner_web_rtc_connection_type: null,
  webrtc_leak_ip: null,
  webrtc_leak_country: null,
  webrtc_leak_connection_type: null,
  webrtc_leak_source: null,
  tcp_mss: null,
  mtu_value: null,
  mtu_hint: null,
  stun_request_seen: null,
  is_scanner_stun_passed: null,
  stun_flow_status: null,
  entry_url: 'https://bench.example/pricing?utm_source=news',
  utm_source: 'news',
  utm_medium: null,
  utm_campaign: null,
  utm_content: null,
  utm_term: null,
  traffic_channel: 'Other',
  traffic_channel_group: 'Other',
  traffic_reason: 'utm_match',
  referrer_domain: null,
  click_id_type: null,
  agent_identity: null,
  agent_category: null,
  agent: null,
  ip6: null,
  velocity: null,
  bytes: null,
})
