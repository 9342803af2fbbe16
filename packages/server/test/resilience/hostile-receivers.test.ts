import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { postSnapshot, runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { hostileReceivers } from './hostile-receivers.ts'

/** More than may be under way to one receiver, so that each hostile one has a queue. */
const VISITS = 40

test('hostile receivers keep neither events from others nor the server from its work, and the log tells what each did', async () => {
  const hostile = await hostileReceivers()
  const good = await webhookReceiver()
  const urls = [...Object.values(hostile).map(({ url }) => url), good.url]
  const server = await runningServer({ endpoints: urls, settings: { INGEST_LIMIT_PER_MINUTE: '1000' } })
  const ids = Array.from({ length: VISITS }, () => randomUUID())
  const answers = await Promise.all(ids.map((id) => postSnapshot(server, id)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))

  const events = (await good.count(VISITS)).map(({ body }) => JSON.parse(body.toString()).data.request_id)
  expect(events.toSorted()).toEqual(ids.toSorted())

  const outbox = () => server.store.reads.selectFrom('outbox').select('id').execute()
  await expect.poll(outbox, { timeout: 30_000 }).toEqual([])
  const rows = await server.store.reads
    .selectFrom('deliveries')
    .select(['id', 'endpoint_id', 'status', 'error'])
    .execute()
  const lastTo = (url: string | undefined): number =>
    Math.max(...rows.flatMap(({ id, endpoint_id }) => (urls[endpoint_id - 1] === url ? [id] : [])))
  // The good one had its last event before the silent one was given up for the last time.
  expect(lastTo(good.url)).toBeLessThan(lastTo(hostile['never answers']?.url))
  for (const [name, { url, logged }] of Object.entries(hostile)) {
    const of = rows.filter(({ endpoint_id }) => urls[endpoint_id - 1] === url)
    expect([name, of.length]).toEqual([name, VISITS])
    const told = of.map(({ status, error }) => String(status ?? error))
    const others = told.filter((text) => !logged.test(text))
    expect([name, others.length]).not.toEqual([name, VISITS])
    // A machine that is busy enough may take a second to do what this receiver does at once.
    expect([name, others.filter((text) => text !== 'no answer in time')]).toEqual([name, []])
  }
})
