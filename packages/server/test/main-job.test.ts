import { createHmac, randomUUID } from 'node:crypto'
import { HistoryPage, HistoryRow, IdentificationScored } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { ordinaryBody } from './contract/bodies.ts'
import { getHistory, postSnapshot, runningServer } from './running-server.ts'
import { webhookReceiver } from './webhook-receiver.ts'

describe('one identification', () => {
  test('is acknowledged with the client address, and History then has its complete row', async () => {
    const server = await runningServer()
    const requestId = randomUUID()
    const answer = await postSnapshot(server, requestId, ordinaryBody({ user_hid: 'account-7' }))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toBe('127.0.0.1')

    const page = HistoryPage.parse(await (await getHistory(server, `request_id/${requestId}`)).json())
    expect(page.total).toBe(1)
    expect(page.data[0]).toMatchObject({
      request_id: requestId,
      domain: 'shop.example',
      user_hid: 'account-7',
      ip: '127.0.0.1',
      os: 'Windows',
      browser: 'Chrome',
      score: 0,
      score_details: '',
    })
    expect(page.data[0]).not.toHaveProperty('site_domain')
    expect(HistoryRow.strict().safeParse(page.data[0]).success).toBe(true)
  })

  test('is sent as one event per endpoint, signed over exactly the bytes that arrive', async () => {
    const receivers = [await webhookReceiver(), await webhookReceiver()]
    const server = await runningServer({ endpoints: receivers.map(({ url }) => url) })
    const requestId = randomUUID()
    await postSnapshot(server, requestId, ordinaryBody({ user_hid: '' }))

    for (const [index, receiver] of receivers.entries()) {
      const [delivery] = await receiver.count(1)
      const expected = createHmac('sha256', server.secrets[index] ?? '')
        .update(delivery?.body ?? '')
        .digest('hex')
      expect(delivery?.headers['x-svc-signature']).toBe(`sha256=${expected}`)
      expect(delivery?.headers['content-type']).toBe('application/json')
      const event = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
      expect(event.data).toMatchObject({
        request_id: requestId,
        user_hid: null,
        domain: 'shop.example',
        risk_score: 0,
      })
    }
  })

  test('keeps the device of the same browser with another cookie', async () => {
    const server = await runningServer()
    const ids = [randomUUID(), randomUUID()]
    for (const id of ids) await postSnapshot(server, id, ordinaryBody())
    const rows = await Promise.all(
      ids.map(
        async (id) => HistoryPage.parse(await (await getHistory(server, `request_id/${id}`)).json()).data[0],
      ),
    )
    expect(rows[0]?.device_id).toBe(rows[1]?.device_id)
    expect(rows[0]?.visitor_id).toBe(rows[1]?.visitor_id)
    expect(rows[0]?.cookie_id).not.toBe(rows[1]?.cookie_id)
    const byDevice = HistoryPage.parse(
      await (await getHistory(server, `device_id/${rows[0]?.device_id}`)).json(),
    )
    expect(byDevice.data.map(({ request_id }) => request_id)).toEqual(ids.toReversed())
  })

  test('with a request ID used before is acknowledged as usual, changes nothing and sends no event', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({ endpoints: [receiver.url] })
    const requestId = randomUUID()
    await postSnapshot(server, requestId, ordinaryBody({ user_hid: 'first' }))
    expect((await postSnapshot(server, requestId, ordinaryBody({ user_hid: 'second' }))).status).toBe(200)
    await postSnapshot(server, randomUUID(), ordinaryBody({ user_hid: 'third' }))

    const deliveries = await receiver.count(2)
    const users = deliveries.map(
      ({ body }) => IdentificationScored.parse(JSON.parse(body.toString())).data.user_hid,
    )
    expect(users.sort()).toEqual(['first', 'third'])
    const page = HistoryPage.parse(await (await getHistory(server, `request_id/${requestId}`)).json())
    expect(page.data.map(({ user_hid }) => user_hid)).toEqual(['first'])
  })
})

describe('bad input gets a clear error and stores no row', () => {
  const cases = [
    ['an unknown public key', 401, { key: '0'.repeat(32) }],
    ['no public key', 401, { key: '' }],
    ['a page of another domain', 401, { origin: 'https://evil.example' }],
    ['a domain that only ends alike', 401, { origin: 'https://evilshop.example' }],
    ['no page at all', 401, { origin: '' }],
    ['a malformed request ID', 400, { id: 'not-a-uuid' }],
    ['a request ID that cannot be decoded', 400, { id: '%zz' }],
    ['broken JSON', 400, { body: '{"a":' }],
    ['JSON that is no object', 400, { body: '[1]' }],
    ['ciphertext that does not open', 400, { body: Buffer.alloc(300, 1) }],
    ['a body over 512 KB', 413, { body: `{"a":"${'x'.repeat(513 * 1024)}"}` }],
  ] as const

  test.each(cases)(
    '%s: %i',
    async (_name, status, bad: { key?: string; origin?: string; id?: string; body?: string | Buffer }) => {
      const server = await runningServer()
      const answer = await fetch(
        `${server.url}/snapshot/${bad.id ?? randomUUID()}?publicKey=${bad.key ?? server.keys.public_key}`,
        {
          method: 'POST',
          headers: bad.origin === '' ? {} : { origin: bad.origin ?? 'https://shop.example' },
          body: bad.body === undefined ? '{}' : new Uint8Array(Buffer.from(bad.body)),
        },
      )
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ error: expect.any(String) })
      const page = await (await getHistory(server, 'latest/all')).json()
      expect(page).toEqual({ data: [], total: 0 })
    },
  )
})

describe('over the ingest limit', () => {
  test('one marker is stored and delivered, and every request is acknowledged as usual', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({
      endpoints: [receiver.url],
      settings: { INGEST_LIMIT_PER_MINUTE: '2' },
    })
    const ids = Array.from({ length: 5 }, () => randomUUID())
    for (const id of ids) {
      const answer = await postSnapshot(server, id, ordinaryBody())
      expect(answer.status).toBe(200)
      expect(await answer.json()).toBe('127.0.0.1')
    }
    const page = HistoryPage.parse(await (await getHistory(server, 'latest/all')).json())
    expect(page.data.map(({ request_id, score }) => [request_id, score])).toEqual([
      [ids[2], 999],
      [ids[1], 0],
      [ids[0], 0],
    ])
    expect(page.data[0]).toMatchObject({
      user_hid: '-1',
      os: 'Unknown',
      device_type: 'desktop',
      ip: '127.0.0.1',
    })

    const events = (await receiver.count(3)).map(
      ({ body }) => IdentificationScored.parse(JSON.parse(body.toString())).data,
    )
    expect(events.find(({ risk_score }) => risk_score === 999)).toMatchObject({
      request_id: ids[2],
      signals: [{ name: 'rate_limited', weight: 999 }],
    })
  })

  test('a marker for a malformed request ID has the nil UUID', async () => {
    const server = await runningServer({ settings: { INGEST_LIMIT_PER_MINUTE: '1' } })
    await postSnapshot(server, 'malformed')
    expect((await postSnapshot(server, 'malformed')).status).toBe(200)
    const nil = '00000000-0000-0000-0000-000000000000'
    const page = HistoryPage.parse(await (await getHistory(server, `request_id/${nil}`)).json())
    expect(page.data.map(({ score }) => score)).toEqual([999])
  })
})

test('without JavaScript the beacon records the single signal javascript_disabled', async () => {
  const server = await runningServer()
  const answer = await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
    headers: { referer: 'https://shop.example/landing?utm_source=News' },
  })
  expect(answer.headers.get('content-type')).toBe('image/gif')
  const page = HistoryPage.parse(await (await getHistory(server, 'user_hid/unknown')).json())
  expect(page.data[0]).toMatchObject({
    score: 90,
    is_js_disabled: true,
    user_hid: 'unknown',
    utm_source: 'news',
  })
  expect(JSON.parse(page.data[0]?.score_details ?? '')).toEqual([
    { Value: 90, Description: 'JavaScript disabled' },
  ])
})
