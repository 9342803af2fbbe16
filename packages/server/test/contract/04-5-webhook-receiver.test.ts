import { createHmac, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { identify } from './callers.ts'
import { addWebhook, pingWebhook } from './endpoints.ts'

test('4.5 both events are POST requests with Content-Type: application/json, X-Svc-Signature and no other header', async () => {
  const receiver = await webhookReceiver()
  const server = await runningServer({ endpoints: [receiver.url] })
  const { id } = await addWebhook(server, receiver.url)
  await pingWebhook(server, id)
  await identify(server, randomUUID(), ordinaryBody())
  for (const { method, headers, headerNames } of await receiver.count(2)) {
    expect(method).toBe('POST')
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-svc-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
    // No header for a timestamp, delivery ID or event type; the others belong to HTTP.
    expect(headerNames.map((name) => name.toLowerCase()).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-svc-signature',
    ])
    expect(headerNames).toContain('X-Svc-Signature')
  }
})

test('4.5 6 the signature covers the raw bytes; its key is the whole secret with its prefix', async () => {
  const receiver = await webhookReceiver()
  const server = await runningServer({ endpoints: [receiver.url] })
  await identify(server, randomUUID(), ordinaryBody({ user_hid: 'a & b ≠ <c>' }))
  const [delivery] = await receiver.count(1)
  const secret = server.secrets[0] ?? ''
  expect(secret).toMatch(/^whsec_[0-9a-f]{32}$/)
  const mac = (key: string | Buffer) =>
    `sha256=${createHmac('sha256', key)
      .update(delivery?.body ?? '')
      .digest('hex')}`
  expect(delivery?.headers['x-svc-signature']).toBe(mac(secret))
  expect(mac(secret.slice('whsec_'.length))).not.toBe(mac(secret))
})
