import { randomUUID } from 'node:crypto'
import { HistoryPage } from '@inkling/contract'
import { expect, test } from 'vitest'
import { ordinaryBody } from '../contract/bodies.ts'
import { getHistory, postSnapshot, runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'

const HOUR_MS = 3_600_000
const JUMPS = [
  ['a day ahead', 24 * HOUR_MS],
  ['an hour back', -HOUR_MS],
] as const

/** All visits come from this browser. */
const COOKIE = randomUUID()
const body = (followUp = false): string =>
  ordinaryBody({ cookie_id: COOKIE, user_hid: 'a', follow_up: followUp })

/** A server whose wall clock the test sets. */
async function shop(settings: Record<string, string> = {}, answer: () => number | undefined = () => 204) {
  const receiver = await webhookReceiver(answer)
  const clock = { aheadMs: 0 }
  const server = await runningServer({
    endpoints: [receiver.url],
    settings: { INGEST_LIMIT_PER_MINUTE: '3', INGEST_BLOCK_MINUTES: '60', ...settings },
    now: () => Date.now() + clock.aheadMs,
  })
  const latest = async () => HistoryPage.parse(await (await getHistory(server, 'latest/all')).json()).data
  const sent = () =>
    receiver.received
      .map(({ body: event }) => String(JSON.parse(event.toString()).data.request_id))
      .toSorted()
  return { receiver, clock, server, latest, sent }
}

test.each(JUMPS)(
  '%s: a browser keeps its device, its score and its order, and each event is sent once',
  async (_name, jumpMs) => {
    const { receiver, clock, server, latest, sent } = await shop()
    const ids = [randomUUID(), randomUUID()]
    await postSnapshot(server, ids[0] ?? '', body())
    await receiver.count(1)
    clock.aheadMs = jumpMs
    expect((await postSnapshot(server, ids[1] ?? '', body())).status).toBe(200)
    await receiver.count(2)
    expect(sent()).toEqual(ids.toSorted())
    const rows = await latest()
    expect(new Set(rows.map(({ device_id }) => device_id)).size).toBe(1)
    expect(rows.map(({ score }) => score)).toEqual([0, 0])
  },
)

test.each(JUMPS)(
  '%s: events in transit are not sent again, and waiting events are not lost',
  async (_name, jumpMs) => {
    // No request is answered, so all events are in transit or waiting when the clock jumps.
    const { receiver, clock, server, sent } = await shop({ INGEST_LIMIT_PER_MINUTE: '1000' }, () => undefined)
    const ids = Array.from({ length: 40 }, () => randomUUID())
    await Promise.all(ids.map((id) => postSnapshot(server, id)))
    await receiver.count(32)
    clock.aheadMs = jumpMs
    await receiver.count(40)
    const outbox = () => server.store.reads.selectFrom('outbox').select('id').execute()
    await expect.poll(outbox, { timeout: 30_000 }).toEqual([])
    expect(sent()).toEqual(ids.toSorted())
  },
)

test('an hour back: an entry that is only in the database is sent, not postponed by an hour', async () => {
  const { receiver, clock, server } = await shop()
  await postSnapshot(server, randomUUID(), body())
  const [first] = await receiver.count(1)
  // Left by a process that died just before the clock jumped.
  await server.store.writes
    .insertInto('outbox')
    .values({
      domain_id: 1,
      endpoint_id: 1,
      request_id: Buffer.alloc(16),
      event_id: Buffer.alloc(16),
      body: first?.body ?? Buffer.alloc(0),
      attempts: 0,
      due_at: Date.now() + HOUR_MS,
    })
    .execute()
  clock.aheadMs = -HOUR_MS
  await receiver.count(2)
})

test.each(JUMPS)('%s: the rate limit of an address stays in force', async (_name, jumpMs) => {
  const { clock, server, latest } = await shop()
  for (let visits = 0; visits < 4; visits += 1) await postSnapshot(server, randomUUID(), body())
  clock.aheadMs = jumpMs
  expect((await postSnapshot(server, randomUUID(), body())).status).toBe(200)
  expect((await latest()).map(({ score }) => score).toSorted()).toEqual([0, 0, 0, 999])
})

test.each(JUMPS)('%s: the event of a visit is sent when its pending checks end', async (_name, jumpMs) => {
  const { receiver, clock, server, sent } = await shop({ FOLLOW_UP_SECONDS: '2' })
  const id = randomUUID()
  await postSnapshot(server, id, body(true))
  clock.aheadMs = jumpMs
  await receiver.count(1)
  const outbox = () => server.store.reads.selectFrom('outbox').select('id').execute()
  await expect.poll(outbox, { timeout: 30_000 }).toEqual([])
  expect(sent()).toEqual([id])
})

test('a year ahead: no endpoint is disabled, and no hits of rules are removed', async () => {
  const { clock, server } = await shop(
    { INGEST_LIMIT_PER_MINUTE: '1000', WEBHOOK_RETRIES: '0', WEBHOOK_DISABLE_DAYS: '5' },
    () => 500,
  )
  const { reads, writes } = server.store
  const day = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS
  await writes
    .insertInto('decision_rule_hits')
    .values({ domain_id: 1, rule_id: 1, day, state: 'on', met: 3, failed: 0 })
    .execute()
  const endpoint = () =>
    reads.selectFrom('endpoints').select(['enabled', 'failed_sends']).executeTakeFirstOrThrow()
  const fail = async (times: number) => {
    const before = (await endpoint()).failed_sends
    await Promise.all(Array.from({ length: times }, () => postSnapshot(server, randomUUID())))
    await expect.poll(async () => (await endpoint()).failed_sends - before).toBe(times)
  }
  await fail(25)
  clock.aheadMs = 365 * 24 * HOUR_MS
  // By the second the record of the first, which looks for endpoints to disable, has ended.
  await fail(1)
  await fail(1)
  expect(await endpoint()).toEqual({ enabled: 1, failed_sends: 27 })
  expect(await reads.selectFrom('decision_rule_hits').select('met').execute()).toEqual([{ met: 3 }])
})
