import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { expect, onTestFinished, test } from 'vitest'
import { claimEvents } from '../../test/claim-events.ts'
import { connected } from '../../test/connections.ts'
import { decision, identified, ordinaryReadings, proof, value } from '../../test/identified.ts'
import { storeLaterVersion } from '../../test/store-later-version.ts'
import { temporaryDomain } from '../../test/temporary-surface.ts'
import type { Domain } from '../auth/directory.ts'
import { latestVersion } from '../composition/pipeline.ts'
import { addEndpoint } from '../deliver/webhook-endpoints.ts'
import { createLinker } from '../identify/linker.ts'
import { uuidBytesOrNil, uuidToText } from '../lib/uuid.ts'
import { createFollowUps } from '../observe/follow/follow-ups.ts'
import { createReachability } from '../observe/follow/reachability.ts'
import { domainRulesStore } from '../store/domains/domain-rules.ts'
import { erase } from '../store/erasure/erase.ts'
import { readSnapshot } from '../store/identifications/snapshots.ts'
import { openStickyVerdicts } from '../store/identifications/sticky-verdicts.ts'
import { createListIndex, type ListedEntry } from '../store/lists/list-index.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import { noTracing } from '../telemetry/tracing.ts'
import type { IdentityDecision } from './identification.ts'
import { cookieKey } from './known-device.ts'
import { observed, type SynFacts, type TurnSighting } from './network-evidence.ts'
import { createPipeline, type PipelineDeps } from './pipeline.ts'
import type { Received } from './received.ts'

const VISITOR = '91.0.0.1'
const SEEN: TurnSighting = {
  address: VISITOR,
  port: 5_000,
  transport: 'udp',
  roundTripMs: 20,
  engine: 'libwebrtc',
}
const WINDOWS_SYN: SynFacts = {
  raw: '',
  ipVersion: 4,
  ttl: 116,
  window: 64_240,
  options: '2-1-3-1-1-4',
  mss: 1_460,
  windowScale: 8,
}
/** What `pg` says of a connection that broke. */
const LOST = 'Connection terminated unexpectedly'
const UNANSWERED = { network: { outcome: 'complete', answered: false }, readings: undefined } as const

async function openPipeline(given: Partial<PipelineDeps> = {}) {
  const { store, secrets, directory, domainId } = await temporaryDomain()
  await addEndpoint(store, secrets, domainId, 'https://receiver.example/hook', 0)
  await directory.refresh()
  const domain = directory.byName('shop.example') as Domain
  const reachability = createReachability()
  reachability.add('91.0.0.99')
  const clock = { nowMs: identified().atMs }
  const followUps = createFollowUps({ turn: true, reachability, monotonicMs: () => clock.nowMs })
  const sent: OutboxRow[] = []
  const waiting: { count: number; resolve(): void }[] = []
  const problems: unknown[] = []
  const outage = { isOn: false, pauses: [] as (() => void)[] }
  const pipeline = createPipeline({
    lookUpIp: () => identified().ip,
    linker: createLinker(store.devices),
    verifyCrawler: () => undefined,
    crawlerCheck: () => undefined,
    identifyAgent: () => undefined,
    agentCheck: () => undefined,
    commit: (operation) => (outage.isOn ? Promise.reject(new Error(LOST)) : store.commit(operation)),
    latest: latestVersion(store.reads),
    enqueue(entries) {
      sent.push(...entries)
      for (const { count, resolve } of waiting) if (sent.length >= count) resolve()
    },
    followUps,
    followUpMs: 60_000,
    sticky: await openStickyVerdicts(store.reads, () => clock.nowMs),
    storeSnapshots: true,
    nameEvents: false,
    step: noTracing.step,
    now: () => clock.nowMs,
    pause: (_, signal) =>
      new Promise<void>((resolve) => {
        outage.pauses.push(resolve)
        signal.addEventListener('abort', () => resolve())
      }),
    warn: (_, error) => problems.push(error),
    ...given,
  })
  onTestFinished(async () => {
    await pipeline.close()
    expect(problems).toEqual([])
  })

  const rows = () => store.reads.selectFrom('identifications').selectAll().execute()
  return {
    store,
    domainId,
    followUps,
    pipeline,
    sent,
    outage,
    pass(durationMs: number) {
      clock.nowMs += durationMs
    },
    sentCount: (count: number) =>
      sent.length >= count
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.push({ count, resolve })),
    async process(more: Partial<Received> = {}) {
      const requestId = randomUUID()
      const visit = identified({ requestId, domain: { ...identified().domain, id: domainId } })
      await pipeline.process({ ...visit, ...more }, domain)
      return requestId
    },
    async mark(entry: ListedEntry) {
      const lists = createListIndex()
      lists.add(entry)
      const requestId = randomUUID()
      const visit = identified({ requestId, domain: { ...identified().domain, id: domainId } })
      await pipeline.mark(visit, { ...domain, lists })
      return requestId
    },
    async row(requestId: string) {
      const found = (await rows()).find((row) => row.request_id && uuidToText(row.request_id) === requestId)
      if (!found) throw new Error('no row')
      return found
    },
    rows,
  }
}

const eventOf = (entry: OutboxRow | undefined) => JSON.parse(Buffer.from(entry?.body ?? []).toString()).data
const detailsOf = (verdict: string): [string, number][] =>
  JSON.parse(verdict).entries.map((entry: { name: string; value: number }) => [entry.name, entry.value])

test('a visit with nothing to wait for is final at once', async () => {
  const { process, sent, row } = await openPipeline()
  const requestId = await process()
  expect(eventOf(sent[0]).request_id).toBe(requestId)
  const stored = await row(requestId)
  expect(stored.ver).toBe(stored.created_at)
})

test('the marker of a rate limit keeps the entries of lists about its address, so that the deny list reaches it', async () => {
  const { mark, row } = await openPipeline()
  const entry = { list: 'deny', kind: 'address', value: identified().address, reason: 'a flood' } as const
  const { score, verdict } = await row(await mark({ ...entry, expiresAtMs: undefined }))
  expect([score, JSON.parse(verdict).lists]).toEqual([999, [entry]])
})

test('a delayed event is in the outbox with the first version, so that another process can send it if this one dies', async () => {
  const { process, sent, store } = await openPipeline()
  const requestId = await process({ followUp: true })
  expect(sent).toHaveLength(0)
  const [entry] = await store.reads.selectFrom('outbox').selectAll().execute()
  expect(eventOf(entry)).toMatchObject({ request_id: requestId, risk_score: 0 })
  expect(entry?.due_at).toBeGreaterThan(identified().atMs + 60_000)
})

test('a check that misses its time counts, and its late packet reverses that: both versions are kept, one event is sent', async () => {
  const { process, followUps, sent, sentCount, row, store } = await openPipeline()
  // A packet size that shows no tunnel: without one the missed check alone would pass for a VPN.
  const syn = observed('kernel', WINDOWS_SYN)
  const requestId = await process({ followUp: true, network: { ...identified().network, syn } })
  followUps.open(requestId)
  followUps.addRoundTrips(requestId, undefined)
  followUps.addReport(requestId, UNANSWERED)
  await sentCount(1)
  expect(eventOf(sent[0])).toMatchObject({ risk_score: 30, detection_flags: { stun_not_checked: true } })
  const missed = await row(requestId)
  expect(missed.ver).toBeGreaterThan(missed.created_at)

  followUps.addSighting(requestId, SEEN)
  await expect.poll(async () => (await row(requestId)).ver).toBeGreaterThan(missed.ver)
  const corrected = await row(requestId)
  expect(corrected.score).toBe(0)
  expect(detailsOf(corrected.verdict)).toEqual([
    ['stun_not_checked', 30],
    ['stun_late_correction', -30],
  ])
  expect(sent).toHaveLength(1)
  const versions = await store.reads.selectFrom('versions').select(['ver', 'score']).orderBy('ver').execute()
  expect(versions).toEqual([
    { ver: missed.created_at, score: 0 },
    { ver: missed.ver, score: 30 },
  ])
})

test('late evidence of a visit that was scored again meanwhile counts under the weights that it was scored with', async () => {
  const { process, followUps, sentCount, row, store, domainId } = await openPipeline()
  const syn = observed('kernel', WINDOWS_SYN)
  const requestId = await process({ followUp: true, network: { ...identified().network, syn } })
  followUps.open(requestId)
  followUps.addRoundTrips(requestId, undefined)
  followUps.addReport(requestId, UNANSWERED)
  await sentCount(1)
  const { id: _, ...first } = await row(requestId)
  await store.writes.transaction().execute(async (transaction) => {
    const rules = { weights: { stun_not_checked: 20 }, actor: 'owner', note: '' }
    await domainRulesStore(transaction).save(domainId, rules, 0)
  })
  // A version of the future, as another machine's clock may make it.
  const rescoredVer = first.ver + 3_600_000
  await storeLaterVersion(store, { ...first, score: 7, ver: rescoredVer })

  followUps.addSighting(requestId, SEEN)
  await expect.poll(async () => (await row(requestId)).ver).toBeGreaterThan(rescoredVer)
  expect(detailsOf((await row(requestId)).verdict)).toEqual([
    ['stun_not_checked', 20],
    ['stun_late_correction', -20],
  ])
  const versions = await store.reads.selectFrom('versions').select('ver').orderBy('ver').execute()
  expect(versions.at(-1)).toEqual({ ver: rescoredVer })
})

/** A visit whose check missed its time while the database was gone, and which waits to be stored again. */
async function refinedInOutage(opened: Awaited<ReturnType<typeof openPipeline>>) {
  const { process, followUps, outage } = opened
  const syn = observed('kernel', WINDOWS_SYN)
  const requestId = await process({ followUp: true, network: { ...identified().network, syn } })
  outage.isOn = true
  followUps.open(requestId)
  followUps.addRoundTrips(requestId, undefined)
  followUps.addReport(requestId, UNANSWERED)
  await expect.poll(() => outage.pauses.length).toBe(1)
  return requestId
}

test('an outage of the database delays the final version and its event, and costs neither', async () => {
  const opened = await openPipeline()
  const requestId = await refinedInOutage(opened)
  const { outage, sent, sentCount, row } = opened
  outage.pauses[0]?.()
  await expect.poll(() => outage.pauses.length).toBe(2)
  expect(sent).toEqual([])
  outage.isOn = false
  outage.pauses[1]?.()
  await sentCount(1)
  expect(eventOf(sent[0]).risk_score).toBe(30)
  expect((await row(requestId)).score).toBe(30)
})

test('no sweep after an outage sends the first version while the final one waits to be stored', async () => {
  const opened = await openPipeline()
  await refinedInOutage(opened)
  const { outage, store, sent, sentCount, pass } = opened
  // As long as the checks may take, and the retries after that.
  const lastsMs = 60_000 + 45_000
  pass(lastsMs)
  expect(await claimEvents(store, identified().atMs + lastsMs, Number.MAX_SAFE_INTEGER)).toEqual([])
  outage.isOn = false
  outage.pauses[0]?.()
  await sentCount(1)
  expect(eventOf(sent[0]).risk_score).toBe(30)
})

test('evidence that arrives during an outage of the database is stored after it', async () => {
  const opened = await openPipeline()
  const requestId = await refinedInOutage(opened)
  const { followUps, outage, row, store } = opened
  followUps.addSighting(requestId, SEEN)
  outage.isOn = false
  outage.pauses[0]?.()
  await expect.poll(async () => JSON.parse((await row(requestId)).verdict).entries).toHaveLength(2)
  expect((await row(requestId)).score).toBe(0)
  const versions = await store.reads.selectFrom('versions').select('score').orderBy('ver').execute()
  expect(versions).toEqual([{ score: 0 }, { score: 30 }])
})

test('a stop tries once more what waits for the database, and waits no longer', async () => {
  const opened = await openPipeline()
  await refinedInOutage(opened)
  const { outage, pipeline, sent } = opened
  outage.isOn = false
  await pipeline.close()
  expect(eventOf(sent[0]).risk_score).toBe(30)
})

test('stopping ends every wait: the event is sent with the evidence received so far', async () => {
  const { process, sent, pipeline } = await openPipeline()
  await process({ followUp: true })
  await pipeline.close()
  expect(eventOf(sent[0])).toMatchObject({ risk_score: 0 })
})

test.each([
  ['opens', 'open', 'proven', 90],
  ['opens without a key, as on insecure origins,', 'open', 'unsupported', 90],
  ['only announces', 'announce', 'proven', 0],
] as const)(
  'a channel that was announced and never opened counts where everybody else %s one',
  async (_, others, state, score) => {
    const { process, followUps, sent, sentCount } = await openPipeline({ followUpMs: 1 })
    for (let network = 0; network < 5; network++) {
      const requestId = randomUUID()
      if (others === 'open') followUps.open(requestId)
      await process({
        requestId,
        address: `91.0.${network}.1`,
        followUp: true,
        proof: proof({ key: { state, id: 'aa' } }),
      })
      await sentCount(network + 1)
    }
    const plain = proof({ ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' } })
    await process({ followUp: true, proof: plain })
    await sentCount(6)
    expect(eventOf(sent[5]).risk_score).toBe(score)
  },
)

test.each([
  ['a page that loaded no script although all others did', 'all', false],
  ['a page where the script comes from somewhere else for all', 'none', undefined],
] as const)('%s: the visit says so, as often as it is scored', async (_, loading, known) => {
  const { process, pipeline, row, store, domainId, pass } = await openPipeline()
  const { network } = connected()
  for (let number = 0; number < 20; number++) {
    const address = `91.0.${number}.1`
    if (loading === 'all') pipeline.scriptLoaded({ ...network, address })
    await process({ address, network })
  }
  const isLoaded = async (address: string) => {
    const { id } = await row(await process({ address, network }))
    const snapshot = JSON.parse((await readSnapshot(store, domainId, id)) ?? '{}')
    return snapshot.network.tls.value.scriptLoaded
  }
  // Its browser may have loaded the script before this process has started.
  expect(await isLoaded('91.2.0.1')).toBeUndefined()
  pass(301_000)
  expect(await isLoaded('91.1.0.1')).toBe(known)
  expect(await isLoaded('91.0.0.7')).toBeUndefined()
})

test('late readings are scored and never replace earlier ones', async () => {
  const { process, followUps, sentCount, row } = await openPipeline()
  const requestId = await process({ followUp: true })
  followUps.open(requestId)
  followUps.addRoundTrips(requestId, undefined)
  const late = { automation: { value: { webdriver: true, markers: [] } }, platform: { value: 'Other' } }
  followUps.addReport(requestId, {
    network: { outcome: 'unsupported', answered: false },
    readings: JSON.stringify(late),
  })
  await sentCount(1)
  expect((await row(requestId)).score).toBe(0)
})

test('a crawler whose address takes time to verify is cleared before its event is sent', async () => {
  const confirmed = Promise.withResolvers<void>()
  let known = false
  const { process, sent, sentCount, row } = await openPipeline({
    verifyCrawler: () => (known ? { name: 'GoogleBot', by: 'reverse_dns' } : undefined),
    crawlerCheck: () => confirmed.promise,
  })
  const requestId = await process({
    readings: { ...ordinaryReadings(), automation: value({ webdriver: true, markers: [] }) },
  })
  expect((await row(requestId)).score).toBe(60)
  expect(sent).toHaveLength(0)
  known = true
  confirmed.resolve()
  await sentCount(1)
  expect(eventOf(sent[0])).toMatchObject({
    risk_score: 0,
    connection_type: 'proxy',
    traffic_source: { channel: 'Search bot', referrer_domain: 'GoogleBot' },
    detection_flags: { search_bot: true, browser_automation: false },
  })
  expect(await row(requestId)).toMatchObject({ score: 0, referrer_domain: 'GoogleBot' })
})

test('a repeated request ID ends no wait and adds none: its event is sent when the checks have reported', async () => {
  const { process, followUps, sent, sentCount } = await openPipeline()
  const requestId = await process({ followUp: true })
  await process({ requestId, followUp: true })
  expect(followUps.pending()).toBe(1)
  followUps.open(requestId)
  followUps.addRoundTrips(requestId, undefined)
  followUps.addSighting(requestId, SEEN)
  followUps.addReport(requestId, { ...UNANSWERED, network: { outcome: 'complete', answered: true } })
  await sentCount(1)
  expect(sent).toHaveLength(1)
})

test('a visit whose evidence was evicted keeps what its first version knew', async () => {
  const { process, followUps, sentCount, row } = await openPipeline()
  const { network } = identified()
  const requestId = await process({ followUp: true, network })
  const before = JSON.parse((await row(requestId)).verdict)
  // One that takes all the memory there is.
  const huge = { bytes: Number.MAX_SAFE_INTEGER, address: '203.0.113.7' }
  void followUps.settled(randomUUID(), { openWithinMs: 0, limitMs: 0, ...huge })
  await sentCount(1)
  const { unknown, entries } = JSON.parse((await row(requestId)).verdict)
  expect({ unknown, entries }).toEqual({ unknown: before.unknown, entries: before.entries })
})

test('a used request ID is never refined', async () => {
  const { process, followUps, sent, sentCount, row } = await openPipeline()
  const requestId = await process({ userHid: 'first' })
  await sentCount(1)
  const first = await row(requestId)
  await process({ requestId, followUp: true, userHid: 'second' })
  followUps.addSighting(requestId, { ...SEEN, address: '198.51.100.7' })
  expect(await row(requestId)).toEqual(first)
  expect(sent).toHaveLength(1)
})

test('an anti-detect verdict carries over to the device at its address, in this process and after a restart', async () => {
  const { store } = await openPipeline()
  const sticky = await openStickyVerdicts(store.reads, () => identified().atMs)
  const visit = identified()
  const entry = {
    name: 'antidetect_browser',
    description: 'Antidetect browser (x)',
    weight: 60,
    value: 60,
    evidence: {},
  }
  const scored = { ...visit, verdict: { entries: [entry] } as never }
  const change = sticky.changeOf(scored)
  expect(sticky.find(visit)).toBeUndefined()
  sticky.remember(scored, change)
  expect(change.sticky?.device_id).toEqual(uuidBytesOrNil(visit.identity.deviceId))
  expect(sticky.changeOf(scored).sticky).toBeUndefined()
  expect(sticky.find(visit)).toMatchObject({ requestId: visit.requestId })
  expect(sticky.find({ ...visit, address: '91.0.0.2' })).toBeUndefined()
  expect(sticky.find({ ...visit, atMs: visit.atMs + 31 * 86_400_000 })).toBeUndefined()
})

test('an anti-detect verdict on a visit that only looks like a device is its cookie’s alone', async () => {
  const { store } = await openPipeline()
  const sticky = await openStickyVerdicts(store.reads, () => identified().atMs)
  const visit = identified()
  const entry = { name: 'antidetect_browser', description: '', weight: 60, value: 60, evidence: {} }
  const rowAfter = (given: Partial<IdentityDecision>, cookieId = visit.cookieId) =>
    sticky.changeOf({
      ...visit,
      cookieId,
      identity: { ...visit.identity, decision: decision(given) },
      verdict: { entries: [entry] } as never,
    }).sticky
  const cookie_key = cookieKey(visit.cookieId)
  expect(rowAfter({ outcome: 'linked' })).toMatchObject({ cookie_key })
  expect(rowAfter({ outcome: 'linked' }, NIL_UUID)).toBeUndefined()
  for (const outcome of ['new', 'cookie', 'device_key', 'separated'] as const) {
    expect(rowAfter({ outcome }), outcome).toMatchObject({ name: 'antidetect_browser', cookie_key: null })
    expect(rowAfter({ outcome, isByLook: true }), outcome).toMatchObject({ cookie_key })
  }
})

test('an erased verdict no longer carries over, in a process that has it in memory', async () => {
  const { store, domainId } = await openPipeline()
  const visit = identified({ domain: { ...identified().domain, id: domainId } })
  const device_id = uuidBytesOrNil(visit.identity.deviceId)
  const place = { domain_id: domainId, device_id, address: visit.address }
  const entry = { name: 'antidetect_browser', description: 'Antidetect browser (x)' }
  await store.writes
    .insertInto('sticky_verdicts')
    .values({ ...place, ...entry, request_id: uuidBytesOrNil(visit.requestId), created_at: visit.atMs })
    .execute()
  const sticky = await openStickyVerdicts(store.reads, () => visit.atMs)
  expect(sticky.find(visit)).toMatchObject({ requestId: visit.requestId })
  const { deviceId } = visit.identity
  await erase(store, domainId, { type: 'device_id', value: deviceId })
  await sticky.refresh()
  expect(sticky.find(visit)).toBeUndefined()
})
