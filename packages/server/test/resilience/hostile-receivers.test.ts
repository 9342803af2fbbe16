import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { postSnapshot, runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { hostileReceivers } from './hostile-receivers.ts'

/** More than the concurrency limit of one receiver, so that each hostile one has a queue. */
const VISITS = 40

test('hostile receivers delay neither other receivers nor the server, and the log names each failure', async () => {
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
  // The good receiver had its last event before the last timeout of the silent one.
  expect(lastTo(good.url)).toBeLessThan(lastTo(hostile['never answers']?.url))
  for (const [name, { url, logged }] of Object.entries(hostile)) {
    const of = rows.filter(({ endpoint_id }) => urls[endpoint_id - 1] === url)
    expect([name, of.length]).toEqual([name, VISITS])
    const results = of.map(({ status, error }) => String(status ?? error))
    const others = results.filter((text) => !logged.test(text))
    expect([name, others.length]).not.toEqual([name, VISITS])
    // On a busy machine even this receiver may take a second.
    expect([name, others.filter((text) => text !== 'no answer in time')]).toEqual([name, []])
  }
})
