import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { postSnapshot } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { halfSent, halfSnapshot } from './half-sent.ts'
import { installation, type ServiceProcess } from './service-process.ts'
import { storedRequestIds } from './stored-request-ids.ts'

/** Repeats a request until the port is closed. */
const refuses = ({ url }: ServiceProcess): Promise<void> =>
  expect
    .poll(
      () =>
        fetch(`${url}/health`).then(
          () => 'answers',
          () => 'refuses',
        ),
      { timeout: 30_000 },
    )
    .toBe('refuses')

test('a stopping server accepts nothing new, completes pending requests, and is unready meanwhile', async () => {
  const shop = await installation()
  const service = await shop.serve({ STOP_SECONDS: '600' })
  expect([
    (await fetch(`${service.url}/ready`)).status,
    (await fetch(`${service.url}/health`)).status,
  ]).toEqual([200, 200])
  const requestId = randomUUID()
  const begun = await halfSnapshot(service.port, { requestId, publicKey: shop.keys.public_key })
  const asked = await halfSent(service.port, 'GET /ready HTTP/1.1\r\nHost: localhost\r\n', '\r\n')
  service.signal('SIGTERM')
  await refuses(service)

  const readiness = await asked.finish()
  expect(readiness).toContain('HTTP/1.1 503')
  expect(readiness).toContain('{"status":"stopping"}')
  const answer = await begun.finish()
  expect(answer).toContain('HTTP/1.1 200')
  expect(answer).toContain('"127.0.0.1"')
  expect(await service.ended).toEqual({ status: 0, log: '' })
  expect(await storedRequestIds(shop.store)).toEqual([requestId])
})

test('a second signal ends the server at once', async () => {
  const shop = await installation()
  const service = await shop.serve({ STOP_SECONDS: '600' })
  await halfSnapshot(service.port, { requestId: randomUUID(), publicKey: shop.keys.public_key })
  service.signal('SIGTERM')
  await refuses(service)
  service.signal('SIGINT')
  expect((await service.ended).status).toBe(1)
})

test('an unfinished request delays a stop for half of its deadline, then is aborted', async () => {
  const shop = await installation()
  const service = await shop.serve({ STOP_SECONDS: '1' })
  const begun = await halfSnapshot(service.port, { requestId: randomUUID(), publicKey: shop.keys.public_key })
  service.signal('SIGTERM')
  expect(await service.ended).toEqual({ status: 0, log: '' })
  expect(await begun.answer).toBe('')
})

test('a stop that hangs ends at its deadline with a log message', async () => {
  const shop = await installation()
  const service = await shop.serve({ STOP_SECONDS: '1' })
  const other = new DatabaseSync(join(shop.directory, 'inkling.db'))
  onTestFinished(() => other.close())
  other.exec('begin immediate')
  const begun = postSnapshot({ url: service.url, keys: shop.keys }, randomUUID()).then(
    ({ status }) => status,
    () => 'cut off',
  )
  // Reads do not wait for the writer: after the response to one, the earlier commit has started.
  expect((await fetch(`${service.url}/ready`)).status).toBe(200)
  service.signal('SIGTERM')
  await service.logged('the stop took too long')
  // The database thread waits for the other process, and the exit of this process for that thread.
  other.exec('rollback')
  expect((await service.ended).status).toBe(1)
  expect(await begun).toBe('cut off')
})

test('events that a stop leaves unsent are due at once, and the next start sends them', async () => {
  let isStuck = true
  const receiver = await webhookReceiver(() => (isStuck ? undefined : 204))
  const shop = await installation([receiver.url])
  const service = await shop.serve()
  // More than the receiver's concurrency limit, many times over: a slow machine gives up on some of them meanwhile.
  const ids = Array.from({ length: 200 }, () => randomUUID())
  await Promise.all(ids.map((id) => postSnapshot({ url: service.url, keys: shop.keys }, id)))
  // The concurrency limit of one receiver, which answers none of them.
  await receiver.count(32)
  service.signal('SIGTERM')
  expect((await service.ended).status).toBe(0)
  const left = await shop.store.reads.selectFrom('outbox').select(['request_id', 'due_at']).execute()
  expect(left.length).toBeGreaterThan(0)
  expect(left.filter(({ due_at }) => due_at > Date.now())).toEqual([])

  isStuck = false
  const sent = receiver.received.length
  expect(sent + left.length).toBe(ids.length)
  await shop.serve()
  await receiver.count(ids.length)
  const events = receiver.received.map(({ body }) => JSON.parse(body.toString()).data.request_id)
  expect(events.toSorted()).toEqual(ids.toSorted())
})
