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
  const server = await runningServer({
    endpoints: urls,
    // A send has one second. On a busy machine the good receiver may take longer for one of the crowd.
    settings: { INGEST_LIMIT_PER_MINUTE: '1000', WEBHOOK_RETRIES: '2' },
  })
  const sends = (attempt: number) =>
    server.store.reads
      .selectFrom('deliveries')
      .select(['id', 'endpoint_id', 'status', 'error'])
      .where('attempt', '=', attempt)
      .execute()
  const limit = { timeout: 120_000 }

  // Alone, so that each failure has its own reason instead of that of the crowd.
  const first = randomUUID()
  expect((await postSnapshot(server, first)).status).toBe(200)
  await expect.poll(() => sends(1), limit).toHaveLength(urls.length)

  const ids = Array.from({ length: VISITS }, () => randomUUID())
  const answers = await Promise.all(ids.map((id) => postSnapshot(server, id)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const outbox = () => server.store.reads.selectFrom('outbox').select('id').execute()
  await expect.poll(outbox, limit).toEqual([])

  const events = good.received.map(({ body }) => JSON.parse(body.toString()).data.request_id)
  expect(new Set(events)).toEqual(new Set([first, ...ids]))
  const rows = await sends(1)
  const sentTo = (url: string | undefined) => rows.filter((row) => urls[row.endpoint_id - 1] === url)
  const lastTo = (url: string | undefined): number => Math.max(...sentTo(url).map(({ id }) => id))
  // The good receiver had its last event before the last timeout of the silent one.
  expect(lastTo(good.url)).toBeLessThan(lastTo(hostile['never answers']?.url))
  for (const [name, { url, logged }] of Object.entries(hostile)) {
    const results = sentTo(url).map(({ status, error }) => String(status ?? error))
    expect([name, results.length]).toEqual([name, VISITS + 1])
    expect(results[0], name).toMatch(logged)
    // In the crowd even this receiver may take a second.
    const others = results.filter((text) => !logged.test(text) && text !== 'no answer in time')
    expect([name, others]).toEqual([name, []])
  }
})
