import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createClient } from '@inkling/sdk'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../../packages/server/test/contract/bodies.ts'
import { identify } from '../../packages/server/test/contract/callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../packages/server/test/contract/roomy-settings.ts'
import { startTestServer } from '../../packages/server/test/running-server.ts'
import { launchChromium } from '../../test/browsers.ts'
import { messageFor } from './message-for.ts'
import { buildSignup } from './signup-app.ts'

const IN_A_MINUTE_MAX = 20
/** One for each test, so that no test uses up the limit of another. */
const addresses = Array.from({ length: 20 }, (_, last) => ADDRESSES.home.replace(/\d+$/, String(last + 1)))

let server: Awaited<ReturnType<typeof startTestServer>>
let shop: FastifyInstance
let address = ''
let lateMs = 0
beforeAll(async () => {
  server = await startTestServer({
    domain: 'localhost',
    settings: { ...ROOMY_SETTINGS, INGEST_LIMIT_PER_MINUTE: String(IN_A_MINUTE_MAX) },
  })
  shop = buildSignup({
    inkling: createClient({ historyUrl: server.url, apiKey: server.keys.api_key }),
    agentUrl: server.url,
    publicKey: server.keys.public_key,
    now: () => Date.now() + lateMs,
  })
  await shop.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await shop?.close()
  await server?.close()
})
beforeEach(() => {
  address = addresses.pop() ?? ''
  lateMs = 0
})

/** Makes an identification as the page does. Returns its request ID. */
async function visit(readings: object = uniqueDevice()): Promise<string> {
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody({}, readings), from(address))
  return requestId
}

/** Sends the form. Returns the status and what the visitor reads. */
async function signUp(request_id: string, email = `${randomUUID()}@shop.example`) {
  const payload = new URLSearchParams({ email, request_id }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { statusCode, body } = await shop.inject({ method: 'POST', url: '/', headers, payload })
  return { status: statusCode, says: /<p role="\w+">(.*?)<\/p>/.exec(body)?.[1] }
}
const refused = (says: string) => ({ status: 403, says: expect.stringContaining(says) })

test('a visitor gets an account, and a request ID works once', async () => {
  const requestId = await visit()
  expect(await signUp(requestId, 'a&b@shop.example')).toEqual({
    status: 201,
    says: 'Your account a&#38;b@shop.example is ready.',
  })
  expect(await signUp(requestId)).toEqual(refused('was sent already'))
  expect(await signUp(await visit(), 'A&B@shop.example')).toMatchObject({ status: 409 })
})

test('a third account on one device is refused', async () => {
  const device = uniqueDevice()
  for (let count = 1; count <= 2; count++)
    expect(await signUp(await visit(device))).toMatchObject({ status: 201 })
  expect(await signUp(await visit(device))).toEqual(refused('enough accounts on this device'))
  expect(await signUp(await visit())).toMatchObject({ status: 201 })
})

test('an identification that is too old is refused', async () => {
  const requestId = await visit()
  lateMs = 6 * 60_000
  expect(await signUp(requestId)).toEqual(refused('open for a while'))
})

test('an address that sent too much is refused', async () => {
  for (let count = 0; count < IN_A_MINUTE_MAX; count++) await visit()
  expect(await signUp(await visit())).toEqual(refused('Too many tries'))
})

test('a form without a request ID, or with an invented one, is refused', async () => {
  expect(await signUp('')).toEqual(refused('could not check your browser'))
  expect(await signUp('<b>')).toEqual(refused('could not check your browser'))
})

test('a dangerous visitor is refused, and a program reads why', async () => {
  const program = await visit({ ...uniqueDevice(), ...AUTOMATED })
  expect(await signUp(program)).toEqual(refused('This form is for people'))
  const dangerous = { action: 'deny', reasons: [{ code: 'dangerous', action: 'deny' }] } as const
  expect(messageFor(dangerous)).toContain('cannot open this account')
})

test('while Inkling is down nobody is let in, and the visitor reads so', async () => {
  const inkling = createClient({ historyUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  const alone = buildSignup({ inkling, agentUrl: server.url, publicKey: server.keys.public_key })
  const payload = `email=a@shop.example&request_id=${randomUUID()}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { statusCode, body } = await alone.inject({ method: 'POST', url: '/', headers, payload })
  expect([statusCode, body.includes('Please try later')]).toEqual([503, true])
})

test('a browser driven by a program fills in the form and is refused', async () => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${(shop.server.address() as AddressInfo).port}/`)
    const acknowledged = page.waitForResponse((response) => response.url().includes('/snapshot/'))
    await page.fill('[name=email]', 'bot@shop.example')
    await acknowledged
    await page.click('button')
    expect(await page.innerText('[role=alert]')).toContain('This form is for people')
  } finally {
    await browser.close()
  }
})
