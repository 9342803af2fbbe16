import { randomUUID } from 'node:crypto'
import { IdentificationScored, NIL_UUID } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateSecret } from '../../server/src/deliver/webhook-endpoints.ts'
import { AUTOMATED, ordinaryBody } from '../../server/test/contract/bodies.ts'
import { identify } from '../../server/test/contract/callers.ts'
import { inkling } from '../../server/test/contract/command-line.ts'
import { addWebhook, listWebhooks, pingWebhook } from '../../server/test/contract/endpoints.ts'
import { operate, soon } from '../../server/test/contract/operator.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { runningServer, startTestServer } from '../../server/test/running-server.ts'
import { type Received, startWebhookReceiver, webhookReceiver } from '../../server/test/webhook-receiver.ts'
import { memoryReplayStore, verdictOfEvent, webhooks } from '../src/index.ts'
import { testClient } from './test-client.ts'

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let server: Awaited<ReturnType<typeof startTestServer>>
let secret: string
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url] })
  secret = server.secrets[0] ?? ''
})
afterAll(async () => {
  await server.close()
  receiver.close()
})

/** The next delivery to the shared receiver after `run`. */
async function deliveryOf(run: () => Promise<unknown>): Promise<Received> {
  const before = receiver.received.length
  await run()
  const delivery = (await receiver.count(before + 1)).at(-1)
  if (!delivery) throw new Error('nothing was delivered')
  return delivery
}

const verified = ({ body, headers }: Received, secrets: string | string[] = secret) =>
  webhooks.verify(body, headers['x-svc-signature'], secrets)

async function scoredEvent(delivery: Received, secrets?: string | string[]): Promise<IdentificationScored> {
  const { kind, event } = await verified(delivery, secrets)
  if (kind !== 'identification.scored') throw new Error(kind)
  return event
}

test('a delivered identification verifies, and has the same data as History', async () => {
  const requestId = randomUUID()
  const body = ordinaryBody({ user_hid: 'a&b<c>' }, AUTOMATED)
  const delivery = await deliveryOf(() => identify(server, requestId, body, from(ADDRESSES.home)))
  const event = await scoredEvent(delivery)
  expect(event).toEqual(IdentificationScored.parse(JSON.parse(delivery.body.toString())))

  const polled = await testClient(server).client.verdict(requestId)
  expect(polled).toMatchObject({ ...verdictOfEvent(event), requestId, userHid: 'a&b<c>', band: 'dangerous' })
})

test('delivered bytes with one changed byte do not verify', async () => {
  const delivery = await deliveryOf(() => identify(server, randomUUID(), ordinaryBody()))
  delivery.body[delivery.body.length - 5] = 0x20
  await expect(verified(delivery)).rejects.toMatchObject({ code: 'invalid_signature' })
})

test('a parsed and serialised body, as frameworks make it, does not verify', async () => {
  const delivery = await deliveryOf(() => identify(server, randomUUID(), ordinaryBody({ user_hid: 'a&b' })))
  const rewritten = JSON.stringify(JSON.parse(delivery.body.toString()))
  await expect(webhooks.verify(rewritten, delivery.headers['x-svc-signature'], secret)).rejects.toMatchObject(
    { code: 'invalid_signature' },
  )
})

test('a ping and the Test delivery of the command line verify', async () => {
  const [endpoint] = await listWebhooks(server)
  const id = endpoint?.id ?? 0
  const ping = await deliveryOf(() => pingWebhook(server, id))
  expect(await verified(ping)).toMatchObject({ kind: 'webhook.ping' })
  const words = ['webhook', 'test', server.keys.domain, String(id)]
  const sample = await scoredEvent(await deliveryOf(() => inkling(server, words)))
  expect(sample.data).toMatchObject({ risk_score: 30, detection_flags: { browser_automation: false } })
  expect(verdictOfEvent(sample)).toMatchObject({ status: 'scored', band: 'suspicious', userHid: undefined })
})

test('during a rotation on the server, both secrets together verify every delivery', async () => {
  const own = await webhookReceiver()
  const { id, secret: old } = await addWebhook(server, own.url)
  const send = () => identify(server, randomUUID(), ordinaryBody())
  // The server reads a new endpoint and a new secret within a second.
  await soon(async () => {
    await send()
    expect(own.received.length).toBeGreaterThan(0)
  })
  const fresh = await operate(server, ({ store, box, domainId }) =>
    rotateSecret(store.writes, box, domainId, id, 0),
  )
  const both = [fresh ?? '', old]
  await soon(async () => {
    await send()
    await expect(scoredEvent(own.received.at(-1) as Received, fresh)).resolves.toBeDefined()
  })
  for (const delivery of own.received) await expect(scoredEvent(delivery, both)).resolves.toBeDefined()
  await expect(scoredEvent(own.received[0] as Received, fresh)).rejects.toMatchObject({
    code: 'invalid_signature',
  })
})

test('a repeated event is handled once; one whose handler failed is handled again', async () => {
  let answers = 0
  const own = await webhookReceiver(() => (answers++ === 0 ? 503 : 204))
  const retrying = await runningServer({
    settings: { ...ROOMY_SETTINGS, WEBHOOK_RETRIES: '2' },
    endpoints: [own.url],
  })
  await identify(retrying, randomUUID(), ordinaryBody())
  const [first, again] = await own.count(2)
  if (!first || !again) throw new Error('no retry')
  expect(again.body).toEqual(first.body)

  const store = memoryReplayStore()
  const handled: string[] = []
  const handleOnce = async (delivery: Received, fail = false) =>
    webhooks.handleOnce(await scoredEvent(delivery, retrying.secrets), {
      store,
      handle: ({ data }) => {
        if (fail) throw new Error('the queue is full')
        handled.push(data.request_id)
      },
    })
  await expect(handleOnce(first, true)).rejects.toThrow('the queue is full')
  expect([await handleOnce(first), await handleOnce(again)]).toEqual([true, false])
  expect(handled).toHaveLength(1)
})

test('every rate-limited visit is handled, although all have the nil request ID', async () => {
  const own = await webhookReceiver()
  const limited = await runningServer({
    settings: { ...ROOMY_SETTINGS, INGEST_LIMIT_PER_MINUTE: '1' },
    endpoints: [own.url],
  })
  for (const address of ['91.0.0.1', '91.0.0.2'])
    for (const path of ['broken-1', 'broken-2'])
      await fetch(`${limited.url}/snapshot/${path}?publicKey=${limited.keys.public_key}`, {
        method: 'POST',
        headers: { origin: `https://${limited.keys.domain}`, ...from(address) },
        body: '{}',
      })
  const store = memoryReplayStore()
  const seen: boolean[] = []
  for (const delivery of await own.count(2)) {
    const event = await scoredEvent(delivery, limited.secrets)
    expect([event.data.request_id, verdictOfEvent(event).status]).toEqual([NIL_UUID, 'rate_limited'])
    seen.push(await webhooks.handleOnce(event, { store, handle: () => {} }))
  }
  expect(seen).toEqual([true, true])
})
