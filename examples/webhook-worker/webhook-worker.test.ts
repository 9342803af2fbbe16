import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { memoryReplayStore } from '@inkling/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../packages/server/src/lib/free-port.ts'
import { pageServer } from '../../packages/server/test/page-server.ts'
import { startTestServer } from '../../packages/server/test/running-server.ts'
import { launchChromium } from '../../test/browsers.ts'
import { createWorker } from './webhook-worker.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let worker: ReturnType<typeof createWorker>
let url = ''
const lines: string[] = []
let news = Promise.withResolvers<string>()

beforeAll(async () => {
  const port = await freePort('127.0.0.1')
  url = `http://127.0.0.1:${port}/`
  server = await startTestServer({ domain: 'localhost', endpoints: [url] })
  worker = createWorker({
    // As during a rotation, with the old secret as well.
    secrets: ['whsec_old', ...server.secrets],
    store: memoryReplayStore(),
    print(line) {
      lines.push(line)
      news.resolve(line)
      news = Promise.withResolvers()
    },
  }).listen(port, '127.0.0.1')
  await once(worker, 'listening')
})
afterAll(async () => {
  worker?.close().closeAllConnections()
  await server?.close()
})

/** Delivers a body the way the server does. */
async function deliver(body: string | Buffer, secret = server.secrets[0] ?? ''): Promise<number> {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return (await fetch(url, { method: 'POST', body, headers: { 'x-svc-signature': signature } })).status
}
const eventOf = (request_id: string): string =>
  JSON.stringify({
    event_type: 'identification.scored',
    data: { request_id, risk_score: 100, signals: [], observed_at: '2026-01-01T00:00:00Z' },
  })

test('the verdict on a browser that a program drives is printed', async () => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(await pageServer())
    const printed = news.promise
    const agent = `${server.url}/agent.js?publicKey=${server.keys.public_key}`
    const { requestID } = await page.evaluate<{ requestID: string }>(`import('${agent}').then((agent) =>
      new Promise((onInitialized) => agent.forceCheckAnonymous({ onInitialized })))`)
    const line = await printed
    expect(line).toMatch(new RegExp(`^${requestID} \\d+ dangerous .*browser_automation:\\d+`))
  } finally {
    await browser.close()
  }
})

test('an event that arrives twice is handled once', async () => {
  const before = lines.length
  const event = eventOf(randomUUID())
  expect(await deliver(event)).toBe(204)
  expect(await deliver(event)).toBe(204)
  expect(lines.length).toBe(before + 1)
})

test('a body that is unsigned, no event, or too large is refused and not printed', async () => {
  const before = lines.length
  expect(await deliver(eventOf(randomUUID()), 'whsec_another')).toBe(401)
  expect(await deliver('{}')).toBe(400)
  expect(await deliver(Buffer.alloc(1_000_001))).toBe(413)
  expect(await deliver(JSON.stringify({ event_type: 'webhook.ping' }))).toBe(204)
  expect(lines.length).toBe(before)
})
