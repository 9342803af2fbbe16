import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { alertChannelStore, alertRuleStore } from '../../src/store/alerts/alert-rules.ts'
import { recordAlertEvents } from '../../src/store/alerts/record-events.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { openChannel } from '../open-channel.ts'
import { postSnapshot } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { halfSent, halfSnapshot } from './half-sent.ts'
import { type Installation, installation, type ServiceProcess } from './service-process.ts'
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

/** A mail server that takes connections and says nothing. */
async function silentMailServer() {
  const asked = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    asked.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: asked.promise }
}

/** Makes a mail due. */
async function alertByMail({ store }: Installation): Promise<void> {
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  const nowMs = Date.now()
  const event = { key: 'test', atMs: nowMs, text: 'test', path: '/' }
  await store.writes.transaction().execute(async (transaction) => {
    const { id: domain_id } = await transaction.selectFrom('domains').select('id').executeTakeFirstOrThrow()
    const settings = JSON.stringify({ kind: 'email', addresses: ['ann@shop.example'] })
    const channel = await alertChannelStore(transaction).add({
      ...{ domain_id, name: 'mail', kind: 'email', target: '', signed: 0 },
      ...{ sealed_settings: box.seal(settings), created_at: nowMs },
    })
    const rule = await alertRuleStore(transaction).add({
      ...{ domain_id, name: 'test', source: 'health', condition: '{"source":"health","state":"problem"}' },
      ...{ channels: JSON.stringify([channel?.id]), group_minutes: 60, enabled: 1, muted_until: null },
      ...{ watched_since: nowMs, bad_checks: null, created_at: nowMs },
    })
    if (rule) await recordAlertEvents(transaction, rule, [event], nowMs)
  })
}

test('a job that does not end holds up neither pending checks nor their events', async () => {
  const receiver = await webhookReceiver()
  const mail = await silentMailServer()
  const shop = await installation([receiver.url])
  await alertByMail(shop)
  const service = await shop.serve({
    ...{ SMTP_URL: mail.url, ALERT_MAIL_FROM: 'alerts@inkling.example' },
    // Less than the mail server is given, and more than the rest takes.
    ...{ STOP_SECONDS: '5', FOLLOW_UP_SECONDS: '30' },
  })
  await mail.asked
  const requestId = randomUUID()
  const server = { ...service, keys: shop.keys }
  await openChannel(server, requestId)
  await postSnapshot(server, requestId, ordinaryBody({ follow_up: true }))
  service.signal('SIGTERM')
  await service.ended
  expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.request_id)).toEqual([
    requestId,
  ])
  const [row] = await shop.store.reads.selectFrom('identifications').select(['ver', 'created_at']).execute()
  expect(row?.ver).toBeGreaterThan(row?.created_at ?? 0)
  expect(await shop.store.reads.selectFrom('outbox').select('id').execute()).toEqual([])
})

test('the event of a visit whose checks were pending at a kill is sent by the next start, before the killed process’s hold of it ends', async () => {
  const receiver = await webhookReceiver()
  const shop = await installation([receiver.url])
  const service = await shop.serve({ FOLLOW_UP_SECONDS: '30' })
  const requestId = randomUUID()
  const server = { ...service, keys: shop.keys }
  await openChannel(server, requestId)
  await postSnapshot(server, requestId, ordinaryBody({ follow_up: true }))
  service.signal('SIGKILL')
  await service.ended
  const held = await shop.store.reads.selectFrom('outbox').select('due_at').executeTakeFirstOrThrow()
  await shop.serve()
  const [sent] = await receiver.count(1)
  expect(JSON.parse(sent?.body.toString() ?? '').data.request_id).toBe(requestId)
  expect(Date.now()).toBeLessThan(held.due_at)
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
