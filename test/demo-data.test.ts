import { fileURLToPath } from 'node:url'
import { NIL_UUID, PATTERN_NAMES } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerDomain } from '../packages/server/src/auth/register-domain.ts'
import { openServerSecrets } from '../packages/server/src/auth/server-secrets.ts'
import { openIpDatabase } from '../packages/server/src/enrich/ip/ip-facts.ts'
import { runPatterns } from '../packages/server/src/jobs/patterns/run-patterns.ts'
import { createSecretBox, type SecretBox } from '../packages/server/src/lib/secret-box.ts'
import { uuidToText } from '../packages/server/src/lib/uuid.ts'
import { domainStore } from '../packages/server/src/store/domains/domains.ts'
import { readVerdict } from '../packages/server/src/store/identifications/identification-row.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import type { Store } from '../packages/server/src/store/store.ts'
import { makeDirectory, type OwnDirectory } from '../packages/server/test/temporary-store.ts'
import { planVisits } from '../scripts/demo-data/plan-visits.ts'
import { DemoRefused, seedDemo } from '../scripts/demo-data/seed-demo.ts'

const ASN_FILE = fileURLToPath(new URL('../packages/server/data/asn.bin', import.meta.url))
const END_MS = Date.UTC(2026, 10, 20, 18)
const PLAN = { host: 'shop.example', days: 30, count: 1_500, seed: 7, endMs: END_MS }
const SEED = { ...PLAN, domain: 'shop.example', add: false, onProgress: () => {} }

/** The signal that only they have. */
const CAUGHT_BY = {
  automation: 'browser_automation',
  antidetect: 'antidetect_browser',
  tor: 'tor',
  abuser: 'abuser',
}

/** One month of data for all tests, which do not change it. */
let directory: OwnDirectory
let store: Store
let box: SecretBox

beforeAll(async () => {
  directory = await makeDirectory()
  store = await openStore({ dataDir: directory.path })
  box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  await registerDomain(store, SEED.domain, Date.UTC(2026, 0))
  await seedDemo(store, box, SEED)
})
afterAll(async () => {
  await store?.close()
  await directory?.remove()
})

test('the same seed gives the same visits, another seed gives others', async () => {
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  const [one, same, other] = await Promise.all(
    [PLAN, PLAN, { ...PLAN, seed: 8 }].map((plan) => planVisits(plan, lookUp)),
  )
  expect(same?.visits).toEqual(one?.visits)
  expect(other?.visits[0]?.requestId).not.toBe(one?.visits[0]?.requestId)
})

test('most visits of the month are people whom nothing accuses', async () => {
  const rows = await store.reads.selectFrom('identifications').select('score').execute()
  const accused = rows.filter(({ score }) => score >= 60 && score <= 100)
  expect(accused.length).toBeGreaterThan(0)
  expect(accused.length).toBeLessThan(rows.length / 10)
})

test('devices, verdicts and versions of a month are as the server would make them', async () => {
  const domainId = (await domainStore(store.reads).find(SEED.domain))?.id ?? 0
  const rows = await store.reads.selectFrom('identifications').selectAll().execute()
  expect(rows.length).toBeGreaterThan(1_400)
  expect(rows.every(({ created_at }) => created_at < END_MS && created_at > END_MS - 31 * 86_400_000)).toBe(
    true,
  )

  // The linker finds known devices by these numbers and names.
  const stored = await store.reads.selectFrom('devices').select(['id', 'device_id']).orderBy('id').execute()
  const known = await store.devices.devices(
    domainId,
    stored.map(({ id }) => id),
  )
  expect(known.map(({ number, profile }) => [number, profile.deviceId])).toEqual(
    stored.map(({ id, device_id }) => [id, uuidToText(device_id)]),
  )
  const names = new Set(known.map(({ profile }) => profile.deviceId))
  for (const { device_id } of rows) {
    const deviceId = uuidToText(device_id)
    if (deviceId !== NIL_UUID) expect(names).toContain(deviceId)
  }

  const outcomes = new Set(rows.map(({ verdict }) => readVerdict(verdict).decision?.outcome))
  expect([...outcomes]).toEqual(expect.arrayContaining(['new', 'cookie', 'linked']))
  expect(new Set(rows.map(({ country }) => country)).size).toBeGreaterThan(10)
  const refined = rows.filter(({ ver, created_at }) => ver > created_at)
  const versions = await store.reads.selectFrom('versions').select('identification_id').execute()
  expect(versions).toHaveLength(refined.length)
  const sends = await store.reads.selectFrom('deliveries').select(['status']).execute()
  expect(sends.some(({ status }) => status === 204) && sends.some(({ status }) => status !== 204)).toBe(true)
})

test('ordinary visitors have no signals, and abusers have theirs', async () => {
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  const { visits } = await planVisits(PLAN, lookUp)
  const actors = new Map(visits.map(({ requestId, actor }) => [requestId, actor]))
  const rows = await store.reads.selectFrom('identifications').select(['request_id', 'verdict']).execute()
  const accused = rows.flatMap(({ request_id, verdict }) => {
    const actor = actors.get(uuidToText(request_id ?? new Uint8Array(16))) ?? 'ordinary'
    const hits = readVerdict(verdict).entries.map(({ name }) => name)
    return Object.entries(CAUGHT_BY).map(([name, signal]) => ({
      name,
      is: name === actor,
      hit: hits.includes(signal),
    }))
  })
  expect(accused.filter(({ is, hit }) => is && !hit).map(({ name }) => name)).toEqual([])
  expect(accused.filter(({ is, hit }) => !is && hit).map(({ name }) => name)).toEqual([])
  expect(accused.some(({ is }) => is)).toBe(true)
})

test('the data has every pattern of abuse, and each is found', async () => {
  await runPatterns(store, { settledAfterMs: 0, now: () => END_MS })
  const findings = await store.reads.selectFrom('pattern_findings').select('pattern').distinct().execute()
  expect(findings.map(({ pattern }) => pattern).toSorted()).toEqual(PATTERN_NAMES.toSorted())
})

test('a domain with real traffic is not changed unless that is allowed', async () => {
  await expect(seedDemo(store, box, { ...SEED, seed: 9 })).rejects.toThrow(DemoRefused)
  await expect(seedDemo(store, box, { ...SEED, add: true })).rejects.toThrow('exists already')
  expect(await seedDemo(store, box, { ...SEED, seed: 9, add: true })).toBeGreaterThan(1_000)
})
