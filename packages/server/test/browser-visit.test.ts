import { createHmac } from 'node:crypto'
import { HistoryPage, type HistoryRow } from '@inkling/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeBrowsers, FIREFOX_PRIVATE, type TestBrowser } from '../../../test/browsers.ts'
import { uuidBytesOrNil } from '../src/lib/uuid.ts'
import { readSnapshot } from '../src/store/identifications/snapshots.ts'
import { pageServer } from './page-server.ts'
import { getHistory, runningServer, type TestServer } from './running-server.ts'
import { temporaryDirectory } from './temporary-store.ts'
import { webhookReceiver } from './webhook-receiver.ts'

const Initialized = z.strictObject({ status: z.literal('initialized'), requestID: z.uuidv4() })

const agentUrl = ({ url, keys }: TestServer): string => `${url}/agent.js?publicKey=${keys.public_key}`

/** Without an emulated screen, which another machine would have. */
const OWN_SCREEN = { viewport: null } as const

/** A browser with its own profile, like a person's. */
async function ordinaryWindow(browser: TestBrowser): Promise<BrowserContext> {
  const context = await browser.launchPersistent(await temporaryDirectory(), OWN_SCREEN)
  onTestFinished(() => context.close())
  return context
}

async function privateWindow(browser: TestBrowser): Promise<BrowserContext> {
  // Every context of Chromium is private; Firefox needs a setting.
  const launched = await browser.launch(browser.name === 'firefox' ? FIREFOX_PRIVATE : {})
  onTestFinished(() => launched.close())
  return launched.newContext(OWN_SCREEN)
}

/** Imports the agent from the server's origin into a page of the shop, and identifies the visit. */
async function visit(page: Page, server: TestServer, site: string): Promise<HistoryRow> {
  await page.goto(site)
  const acknowledged = page.waitForResponse((response) => response.url().includes('/snapshot/'))
  // A string, because the test runner would rewrite the import in a function.
  const given: unknown = await page.evaluate(`import('${agentUrl(server)}').then((agent) =>
    new Promise((resolve) => agent.forceCheckAnonymous({ onInitialized: resolve })))`)
  const { requestID } = Initialized.parse(given)
  expect((await acknowledged).status()).toBe(200)

  // It is stored before it is acknowledged, so the first read finds it.
  const found = HistoryPage.parse(await (await getHistory(server, `request_id/${requestID}`)).json())
  expect(found.total).toBe(1)
  const [row] = found.data
  if (!row) throw new Error('the visit has no row')
  return row
}

async function proofOf({ store }: TestServer, requestId: string): Promise<unknown> {
  const { id, domain_id } = await store.reads
    .selectFrom('identifications')
    .select(['id', 'domain_id'])
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirstOrThrow()
  return JSON.parse((await readSnapshot(store, domain_id, id)) ?? '{}').proof
}

/** With this the agent waits for the visitor's action without a time limit; the checks keep theirs. */
const NO_LONG_WAITS = `{
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) => (ms > 20_000 ? 0 : setTimeout(act, ms, ...rest))
}`

describeBrowsers('a visit', (browser) => {
  test('is identified from another origin, stored, and delivered with a signature over the raw bytes', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({ domain: 'localhost', endpoints: [receiver.url] })
    const page = await (await ordinaryWindow(browser)).newPage()
    const row = await visit(page, server, await pageServer())
    expect(row).toMatchObject({
      domain: 'localhost',
      user_hid: 'anonymous',
      os: 'Linux',
      device_type: 'desktop',
    })
    expect(row.browser).toBe(browser.name === 'chromium' ? 'Chrome' : 'Firefox')
    expect(row.check_incomplete).toBe(false)
    expect(await proofOf(server, row.request_id)).toMatchObject({
      ticket: { state: 'valid', addressChanged: false, clientChanged: false },
      body: 'bound',
      interrupted: false,
      key: { state: 'proven' },
    })

    const [delivery] = await receiver.count(1)
    const mac = createHmac('sha256', server.secrets[0] ?? '')
      .update(delivery?.body ?? '')
      .digest('hex')
    expect(delivery?.headers['x-svc-signature']).toBe(`sha256=${mac}`)
    expect(JSON.parse(delivery?.body.toString() ?? '').data.request_id).toBe(row.request_id)
  })

  test('sends its event without an action; a later action updates the row without a second event', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({
      domain: 'localhost',
      endpoints: [receiver.url],
      settings: { FOLLOW_UP_SECONDS: '30' },
    })
    const page = await (await ordinaryWindow(browser)).newPage()
    await page.addInitScript(NO_LONG_WAITS)
    const { request_id } = await visit(page, server, await pageServer())
    await receiver.count(1)
    const current = async () =>
      HistoryPage.parse(await (await getHistory(server, `request_id/${request_id}`)).json()).data[0]
    const sent = await current()
    // The event was sent because the checks ended, not because of a timeout.
    const explained = await fetch(`${server.url}/api/v1/explanation/${request_id}`, {
      headers: { authorization: `Bearer ${server.keys.api_key}` },
    })
    expect(await explained.json()).toMatchObject({ network: { report: { available: true } } })

    await page.mouse.click(50, 50)
    await expect.poll(async () => (await current())?.ver).toBeGreaterThan(sent?.ver ?? Number.NaN)
    expect(receiver.received).toHaveLength(1)
  })

  test('keeps its device after clearing storage and in a private window, with a new cookie', async () => {
    const server = await runningServer({ domain: 'localhost' })
    const site = await pageServer()
    const context = await ordinaryWindow(browser)
    const page = await context.newPage()
    const first = await visit(page, server, site)
    await context.clearCookies()
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    const cleared = await visit(page, server, site)
    const hidden = await visit(await (await privateWindow(browser)).newPage(), server, site)

    expect(first.device_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
    expect([cleared.device_id, hidden.device_id]).toEqual([first.device_id, first.device_id])
    expect([cleared.visitor_id, hidden.visitor_id]).toEqual([first.visitor_id, first.visitor_id])
    expect(new Set([first, cleared, hidden].map(({ cookie_id }) => cookie_id)).size).toBe(3)
  })
})
