import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../../test/browsers.ts'
import { runPatterns } from '../../src/jobs/patterns/run-patterns.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { storeVisit } from '../account/stored-visits.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage, scrollsSideways, seriousViolations } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'

const PAGE = 'd/shop.example/patterns'
const DEVICE = '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'

let server: TestServer & { close(): Promise<void> }
let browser: Browser

beforeAll(async () => {
  server = await startDashboardServer()
  await seedPatterns(server)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Nine accounts on one device, and an account with seventeen devices, whose visitors change within a day. */
async function seedPatterns({ store }: TestServer): Promise<void> {
  const domain = await domainStore(store.reads).find('shop.example')
  const nowMs = Date.now()
  const target = { store, domainId: domain?.id ?? 0, clock: { nowMs: nowMs - 60_000 } }
  for (let index = 0; index < 9; index += 1)
    await storeVisit(target, {
      userHid: `account-${index}`,
      identity: { deviceId: DEVICE, visitorId: DEVICE, components: [] },
    })
  for (let index = 0; index < 17; index += 1) {
    const deviceId = randomUUID()
    await storeVisit(target, { userHid: 'sold', identity: { deviceId, visitorId: deviceId, components: [] } })
  }
  await runPatterns(store, { settledAfterMs: 0, now: () => nowMs })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function signedIn(options: BrowserContextOptions = {}, email: string = ANALYST) {
  const shown = await dashboardPage(browser, server, options)
  await shown.signIn(email)
  await shown.page.getByRole('link', { name: 'Patterns' }).waitFor({ state: 'attached' })
  await shown.open(PAGE)
  await heading(shown.page, 'Patterns')
  await shown.page.getByRole('link', { name: 'Many devices on one account' }).waitFor()
  return shown
}

describe('the patterns', () => {
  test('are listed, filtered by the URL, and link to their visits', async () => {
    const { page, open } = await signedIn()
    expect(await page.getByRole('row').count()).toBe(4)
    await open(`${PAGE}?grade=suspicious`)
    await page.getByRole('link', { name: 'Many accounts on one device' }).click()
    await heading(page, 'Many accounts on one device')
    await page.getByText('suspicious from 8, dangerous from 16').waitFor()
    await page.getByText('A family tablet', { exact: false }).waitFor()
    const made = page.getByRole('region', { name: 'Identifications (9)' })
    expect(await made.getByRole('row').count()).toBe(10)
    await made.getByRole('link', { name: 'account-3' }).click()
    await heading(page, 'Account')
  })

  test('are on the page of their entity', async () => {
    const { page, open } = await signedIn()
    await open(`d/shop.example/entity?type=device_id&value=${DEVICE}`)
    const section = page.getByRole('region', { name: 'Patterns', exact: true })
    await section.getByRole('link', { name: 'Many accounts on one device' }).waitFor()
  })

  test('link to their identifications in the table', async () => {
    const { page, open } = await signedIn()
    await open('d/shop.example/identifications?pattern=many_devices_on_account')
    await page.getByRole('cell', { name: 'sold' }).nth(16).waitFor()
    expect(await page.getByRole('cell', { name: 'account-1' }).count()).toBe(0)
  })

  test('that do not exist show an error', async () => {
    const { page, open } = await signedIn()
    await open(`${PAGE}/999`)
    await page.getByText('Pattern not found').waitFor()
    await open(`${PAGE}?state=resolved`)
    await page.getByText('No matching patterns').waitFor()
  })

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ] as const)('are accessible and fit the window: %s', async (_name, options) => {
    const { page } = await signedIn(options)
    expect(await seriousViolations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole('link', { name: 'Many accounts on one device' }).click()
    await heading(page, 'Many accounts on one device')
    await page.getByRole('region', { name: 'Identifications (9)' }).waitFor()
    expect(await seriousViolations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
