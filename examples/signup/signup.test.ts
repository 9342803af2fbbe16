import { createHash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SessionAnswer } from '@inkling/contract/account'
import { createClient } from '@inkling/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../../packages/server/test/contract/bodies.ts'
import { identify } from '../../packages/server/test/contract/callers.ts'
import { ADDRESSES, from } from '../../packages/server/test/contract/roomy-settings.ts'
import {
  OWNER,
  PASSWORD,
  startDashboardServer,
} from '../../packages/server/test/dashboard/dashboard-server.ts'
import { launchChromium } from '../../test/browsers.ts'
import { buildSignup, type Signup } from './signup-app.ts'

const IN_A_MINUTE_MAX = 20
/** One for each test, so that no test uses up the limit of another. */
const addresses = Array.from({ length: 20 }, (_, last) => ADDRESSES.home.replace(/\d+$/, String(last + 1)))

let server: Awaited<ReturnType<typeof startDashboardServer>>
let shop: Signup['app']
let closeForAbuse: Signup['closeForAbuse']
const mails: { email: string; path: string }[] = []
let address = ''
let lateMs = 0
beforeAll(async () => {
  server = await startDashboardServer({
    domain: 'localhost',
    settings: { INGEST_LIMIT_PER_MINUTE: String(IN_A_MINUTE_MAX) },
    now: () => Date.now() + lateMs,
  })
  await addRules()
  const signup = buildSignup({
    inkling: createClient({ historyUrl: server.url, apiKey: server.keys.api_key }),
    agentUrl: server.url,
    publicKey: server.keys.public_key,
    mail: (email, path) => mails.push({ email, path }),
  })
  shop = signup.app
  closeForAbuse = signup.closeForAbuse
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

/** As the shop's people write them in the dashboard. The accounts are pseudonyms of e-mail addresses. */
async function addRules(): Promise<void> {
  const post = (path: string, body: object, authorization = '') =>
    fetch(`${server.url}/account/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    })
  const signedIn = await post('login', { email: OWNER, password: PASSWORD })
  const { access_token } = SessionAnswer.parse(await signedIn.json())
  for (const action of ['review', 'challenge']) {
    const account = createHash('sha256').update(`${action}@shop.example`).digest('hex')
    const rule = { name: action, condition: `account == "${account}"`, effect: { action }, state: 'on' }
    const added = await post('domains/localhost/decision-rules', rule, `Bearer ${access_token}`)
    expect(added.ok).toBe(true)
  }
}

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

test('a program is refused, and reads nothing about the rules', async () => {
  const program = await visit({ ...uniqueDevice(), ...AUTOMATED })
  expect(await signUp(program)).toEqual(refused('We cannot open this account'))
})

test('the rules of the domain ask for a look or for a confirmed e-mail', async () => {
  const reviewed = await signUp(await visit(), 'review@shop.example')
  expect(reviewed).toMatchObject({ status: 202, says: expect.stringContaining('We look at it') })

  const challenged = await signUp(await visit(), 'challenge@shop.example')
  expect(challenged).toMatchObject({ status: 202, says: expect.stringContaining('link in our e-mail') })
  const [mail] = mails.splice(0)
  expect(mail?.email).toBe('challenge@shop.example')
  const confirm = () => shop.inject(mail?.path ?? '')
  const confirmed = await confirm()
  expect([confirmed.statusCode, confirmed.body.includes('challenge@shop.example')]).toEqual([200, true])
  expect((await confirm()).statusCode).toBe(404)
})

test('an account that was closed for abuse labels its visit', async () => {
  const requestId = await visit()
  await signUp(requestId, 'abuse@shop.example')
  await closeForAbuse('abuse@shop.example')
  const labels = await server.store.reads.selectFrom('labels').select(['kind', 'source']).execute()
  expect(labels).toEqual([{ kind: 'fraud', source: 'back_office' }])
})

test('while Inkling is down nobody is let in, and the visitor reads so', async () => {
  const inkling = createClient({ historyUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  const { app: alone } = buildSignup({
    inkling,
    agentUrl: server.url,
    publicKey: server.keys.public_key,
    mail: () => {},
  })
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
    expect(await page.innerText('[role=alert]')).toContain('We cannot open this account')
  } finally {
    await browser.close()
  }
})
