import { createHmac, randomUUID } from 'node:crypto'
import { IdentificationScored } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { uuidToText } from '../../src/lib/uuid.ts'
import { runningServer } from '../running-server.ts'
import { type Received, type ReceiverAnswer, webhookReceiver } from '../webhook-receiver.ts'
import { AUTOMATED, ordinaryBody } from './bodies.ts'
import { historyPage, identify, rowOf } from './callers.ts'
import { addWebhook, switchWebhook } from './endpoints.ts'
import { loggedDeliveries, operate, soon } from './operator.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

const eventOf = (delivery: Received | undefined) =>
  IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))

/** One receiver, one server that sends to it, and one identification sent. */
async function oneDelivery(
  answer: (delivery: Received) => ReceiverAnswer,
  settings: Record<string, string> = {},
  now: () => number = Date.now,
) {
  const receiver = await webhookReceiver(answer)
  const server = await runningServer({
    settings: { ...ROOMY_SETTINGS, ...settings },
    endpoints: [receiver.url],
    now,
  })
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody({ user_hid: 'a&b' }, AUTOMATED))
  return { receiver, server, requestId }
}

const outboxSize = (server: Parameters<typeof operate>[0]) =>
  operate(server, async ({ store }) => (await store.reads.selectFrom('outbox').selectAll().execute()).length)

describe('6 identification.scored goes to every enabled endpoint of the domain', () => {
  test('several endpoints get the same bytes, each signed with its own secret', async () => {
    const receivers = [await webhookReceiver(), await webhookReceiver(), await webhookReceiver()]
    const server = await runningServer({ endpoints: receivers.map(({ url }) => url) })
    await identify(server, randomUUID(), ordinaryBody({ user_hid: 'a&b' }))
    const deliveries = await Promise.all(receivers.map(async (receiver) => (await receiver.count(1))[0]))
    expect(new Set(deliveries.map((delivery) => delivery?.body.toString())).size).toBe(1)
    deliveries.forEach((delivery, index) => {
      const mac = createHmac('sha256', server.secrets[index] ?? '').update(delivery?.body ?? '')
      expect(delivery?.headers['x-svc-signature']).toBe(`sha256=${mac.digest('hex')}`)
    })
  })

  test('another domain’s endpoints get nothing', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({ endpoints: [receiver.url], otherDomains: ['other.example'] })
    const [keys] = server.others
    if (!keys) throw new Error('no other domain')
    await identify({ ...server, keys }, randomUUID(), ordinaryBody())
    const own = randomUUID()
    await identify(server, own, ordinaryBody())
    expect((await receiver.count(1)).map((delivery) => eventOf(delivery).data.request_id)).toEqual([own])
    expect(await loggedDeliveries(server, 1)).toHaveLength(1)
  })

  test('S10.12 a disabled endpoint gets nothing within a second, an enabled one gets the next events again', async () => {
    const [steady, switched] = [await webhookReceiver(), await webhookReceiver()]
    const server = await runningServer({ settings: ROOMY_SETTINGS, endpoints: [steady.url] })
    const { id } = await addWebhook(server, switched.url)
    /** Whether the next event reaches the switched endpoint by the time it reaches the other one. */
    const reaches = async () => {
      const before = switched.received.length
      const count = steady.received.length + 1
      await identify(server, randomUUID(), ordinaryBody())
      await steady.count(count)
      await soon(async () => expect(await outboxSize(server)).toBe(0))
      return switched.received.length > before
    }
    await soon(async () => expect(await reaches()).toBe(true))
    await switchWebhook(server, id, false)
    await soon(async () => expect(await reaches()).toBe(false))
    await switchWebhook(server, id, true)
    await soon(async () => expect(await reaches()).toBe(true))
  })

  test('6.1 one snapshot per identification: a duplicate sends no second event', async () => {
    const { receiver, server, requestId } = await oneDelivery(() => 204)
    await identify(server, requestId, ordinaryBody({ user_hid: 'later' }))
    const last = randomUUID()
    await identify(server, last, ordinaryBody())
    const ids = (await receiver.count(2)).map((delivery) => eventOf(delivery).data.request_id)
    expect(ids.toSorted()).toEqual([requestId, last].toSorted())
    expect(await loggedDeliveries(server, 2)).toHaveLength(2)
  })
})

describe('6 the answer of the receiver', () => {
  test.each([200, 201, 204, 299])('any 2xx counts as delivered: %i', async (status) => {
    const { server, requestId, receiver } = await oneDelivery(() => status)
    const [logged] = await loggedDeliveries(server, 1)
    expect(logged).toMatchObject({ status, error: null, attempt: 1, event_type: 'identification.scored' })
    expect(uuidToText(logged?.request_id ?? new Uint8Array())).toBe(requestId)
    expect(Buffer.from(logged?.body ?? [])).toEqual(receiver.received[0]?.body)
    expect(await outboxSize(server)).toBe(0)
  })

  test.each([400, 404, 410, 429, 500, 503])(
    'another status is a failed delivery, and today there is no retry: %i',
    async (status) => {
      const { server, receiver } = await oneDelivery(() => status)
      expect(await loggedDeliveries(server, 1)).toMatchObject([{ status, attempt: 1 }])
      expect(await outboxSize(server)).toBe(0)
      // A later event arrives, so no attempt of the first is still pending.
      await identify(server, randomUUID(), ordinaryBody())
      await receiver.count(2)
      expect(await loggedDeliveries(server, 2)).toHaveLength(2)
      expect(receiver.received).toHaveLength(2)
    },
  )

  test('a redirect is answered like any other status and never followed', async () => {
    const elsewhere = await webhookReceiver()
    for (const status of [301, 302, 307, 308]) {
      const { server } = await oneDelivery(() => ({ status, headers: { location: elsewhere.url } }))
      expect(await loggedDeliveries(server, 1)).toMatchObject([{ status }])
    }
    expect(elsewhere.received).toEqual([])
  })

  test('no answer within 1 s is a failed delivery, and History still has the row', async () => {
    const { server, requestId } = await oneDelivery(() => undefined)
    expect((await rowOf(server, requestId)).score).toBe(60)
    const [logged] = await loggedDeliveries(server, 1)
    expect(logged).toMatchObject({ status: null, error: 'no answer in time', attempt: 1 })
    expect(logged?.duration_ms).toBeGreaterThanOrEqual(950)
    expect(await outboxSize(server)).toBe(0)
  })

  test('a missing receiver is a failed delivery', async () => {
    const server = await runningServer({ endpoints: ['http://127.0.0.1:1/hook'] })
    await identify(server, randomUUID(), ordinaryBody())
    const [logged] = await loggedDeliveries(server, 1)
    expect(logged?.status).toBeNull()
    expect(logged?.error).toContain('ECONNREFUSED')
  })

  test('a slow receiver delays neither the acknowledgment nor another endpoint', async () => {
    const [slow, quick] = [await webhookReceiver(() => undefined), await webhookReceiver()]
    const server = await runningServer({ settings: ROOMY_SETTINGS, endpoints: [slow.url, quick.url] })
    const startedAt = performance.now()
    // One after the other, the slow receiver's would take twenty seconds.
    await Promise.all(Array.from({ length: 20 }, () => identify(server, randomUUID(), ordinaryBody())))
    await quick.count(20)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})

describe('6 where events may go', () => {
  test('private addresses get nothing unless WEBHOOK_ALLOW_PRIVATE is set', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({
      settings: { WEBHOOK_ALLOW_PRIVATE: 'false', WEBHOOK_RETRIES: '2' },
      endpoints: [receiver.url],
    })
    await identify(server, randomUUID(), ordinaryBody())
    const [logged] = await loggedDeliveries(server, 1)
    expect(logged?.status).toBeNull()
    expect(logged?.error).toContain('private address')
    expect(receiver.received).toEqual([])
    expect(await outboxSize(server)).toBe(0)
  })
})

describe('6.2 S5 retries with WEBHOOK_RETRIES', () => {
  /** A clock that the test advances until a retry is due. */
  function clock() {
    let ahead = 0
    return {
      now: () => Date.now() + ahead,
      advance(ms: number) {
        ahead += ms
      },
    }
  }

  test('resend identical bytes with the same event_id and X-Svc-Event-Id until a 2xx', async () => {
    const time = clock()
    const statuses = [503, 429, 204]
    let sends = 0
    const { receiver, server } = await oneDelivery(
      () => statuses[sends++] ?? 204,
      { WEBHOOK_RETRIES: '5' },
      time.now,
    )
    for (const count of [1, 2]) {
      await loggedDeliveries(server, count)
      time.advance(10_000)
    }
    const logged = await loggedDeliveries(server, 3)
    expect(logged.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 503],
      [2, 429],
      [3, 204],
    ])
    expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-signature'])).size).toBe(1)
    const { event_id } = eventOf(receiver.received[0])
    expect(event_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(receiver.received.map(({ headers }) => headers['x-svc-event-id'])).toEqual(
      Array.from({ length: 3 }, () => event_id),
    )
    expect(await outboxSize(server)).toBe(0)
  })

  test('happen after a timeout and after a network error, too', async () => {
    const time = clock()
    let sends = 0
    const { receiver, server } = await oneDelivery(
      () => (sends++ === 0 ? undefined : 204),
      { WEBHOOK_RETRIES: '1' },
      time.now,
    )
    await loggedDeliveries(server, 1)
    time.advance(10_000)
    expect((await loggedDeliveries(server, 2)).map(({ status }) => status)).toEqual([null, 204])
    expect(receiver.received).toHaveLength(2)
  })

  test('stop after WEBHOOK_RETRIES', async () => {
    const time = clock()
    const { receiver, server } = await oneDelivery(() => 500, { WEBHOOK_RETRIES: '1' }, time.now)
    await loggedDeliveries(server, 1)
    time.advance(10_000)
    await loggedDeliveries(server, 2)
    expect(await outboxSize(server)).toBe(0)
    expect(receiver.received).toHaveLength(2)
  })

  test.each([400, 401, 404, 410, 302])('do not follow an answer of %i: it is final', async (status) => {
    const { server } = await oneDelivery(() => status, { WEBHOOK_RETRIES: '3' })
    expect(await loggedDeliveries(server, 1)).toMatchObject([{ status }])
    expect(await outboxSize(server)).toBe(0)
  })

  test('each event has its own event_id, the same at every endpoint', async () => {
    const receivers = [await webhookReceiver(), await webhookReceiver()]
    const server = await runningServer({
      settings: { ...ROOMY_SETTINGS, WEBHOOK_RETRIES: '1' },
      endpoints: receivers.map(({ url }) => url),
    })
    for (let count = 0; count < 2; count += 1) await identify(server, randomUUID(), ordinaryBody())
    const ids = await Promise.all(
      receivers.map(async (receiver) =>
        (await receiver.count(2)).map((delivery) => eventOf(delivery).event_id),
      ),
    )
    expect(new Set(ids.flat()).size).toBe(2)
    expect(ids[0]?.toSorted()).toEqual(ids[1]?.toSorted())
  })
})

test('6.5 deliveries change nothing in History', async () => {
  const { server, requestId } = await oneDelivery(() => 500)
  await loggedDeliveries(server, 1)
  const { total, data } = await historyPage(server, 'latest/all')
  expect([total, data[0]?.request_id]).toEqual([1, requestId])
})
