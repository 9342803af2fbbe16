import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runningServer } from '../running-server.ts'
import { type ReceiverAnswer, webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { identify } from './callers.ts'
import { addWebhook, listWebhooks, pingWebhook } from './endpoints.ts'
import { soon } from './operator.ts'

const stateOf = async (target: Parameters<typeof listWebhooks>[0], id: number) =>
  (await listWebhooks(target)).find((row) => row.id === id)?.state

test('3 an endpoint is unverified until a webhook.ping is delivered', async () => {
  const server = await runningServer()
  const { id } = await addWebhook(server, (await webhookReceiver()).url)
  expect(await stateOf(server, id)).toBe('unverified')
})

test.each([
  [200, 'verified'],
  [204, 'verified'],
  [299, 'verified'],
  [302, 'failed'],
  [400, 'failed'],
  [500, 'failed'],
] as const)('3 webhook.ping answered with %i: the endpoint is %s', async (status, state) => {
  const receiver = await webhookReceiver(() => status)
  const server = await runningServer()
  const { id } = await addWebhook(server, receiver.url)
  expect((await pingWebhook(server, id)).state).toBe(state)
  expect(await stateOf(server, id)).toBe(state)
})

test('3 a ping without an answer within five seconds fails; the next successful one verifies', async () => {
  let answer: ReceiverAnswer
  const receiver = await webhookReceiver(() => answer)
  const server = await runningServer()
  const { id } = await addWebhook(server, receiver.url)
  const startedAt = performance.now()
  const { state, attempt } = await pingWebhook(server, id)
  const took = performance.now() - startedAt
  expect([state, attempt.status, attempt.error]).toEqual(['failed', undefined, 'no answer in time'])
  expect(took).toBeGreaterThan(4_900)
  answer = 204
  expect((await pingWebhook(server, id)).state).toBe('verified')
})

test('3 verification fails without a receiver', async () => {
  const server = await runningServer()
  const { id } = await addWebhook(server, 'http://127.0.0.1:1/hook')
  expect((await pingWebhook(server, id)).state).toBe('failed')
})

test('S10.12 an endpoint receives events as soon as it is added, without verification', async () => {
  const receiver = await webhookReceiver()
  const server = await runningServer()
  await addWebhook(server, receiver.url)
  await soon(async () => {
    await identify(server, randomUUID(), ordinaryBody())
    expect(receiver.received.length).toBeGreaterThan(0)
  })
})
