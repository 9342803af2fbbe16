import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPatterns } from '../../src/jobs/patterns/run-patterns.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { directFrom, leaking, storeVisit } from '../account/stored-visits.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

const PAGE = 'd/shop.example/patterns'
const DEVICE = '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
  await seedPatterns(server)
})
afterAll(async () => {
  await server?.close()
})

const RING = '91.10.0.7'
/** More than a finding lists at first. */
const RING_SIZE = 21
const RING_DEVICES = 5
const member = (index: number): string => `member-${String(index).padStart(2, '0')}`

/**
 * Nine accounts on one device, an account with seventeen devices, whose visitors change within a day, and a ring behind
 * a local address. Another ring shows the same pattern.
 */
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
  const ring = async (address: string, devices: number, accounts: readonly string[]) => {
    for (const [index, userHid] of accounts.entries()) {
      const deviceId = `7d3b1f52-8c4e-4a6b-9d0e-${address.replaceAll('.', '').padStart(8, '0')}${String(index % devices).padStart(4, '0')}`
      const identity = { deviceId, visitorId: deviceId, components: [] }
      // One comes from the address itself, the others through networks of their own.
      const from = index === 0 ? directFrom(address) : { ...leaking(address), address: `93.0.${index}.1` }
      await storeVisit(target, { userHid, identity, ...from })
    }
  }
  await ring(
    RING,
    RING_DEVICES,
    Array.from({ length: RING_SIZE }, (_, index) => member(index)),
  )
  await ring(
    '91.10.0.8',
    3,
    Array.from({ length: 12 }, (_, index) => `other-${index}`),
  )
  await runPatterns(store, { settledAfterMs: 0, now: () => nowMs })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function signedIn(email: string = ANALYST) {
  const shown = await dashboardPage(server)
  await shown.enter(email)
  await shown.open(PAGE)
  await heading(shown.page, 'Patterns')
  await shown.page.getByRole('link', { name: 'Many devices on one account' }).waitFor()
  return shown
}

/** The link from a member of the ring to the ring. */
const back = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ hasText: RING })
    .getByRole('link', { name: 'Many accounts on one local IP' })

describe('the patterns', () => {
  test('are listed, filtered by the URL, and link to their visits', async () => {
    const { page, open } = await signedIn()
    await expect.poll(() => page.getByRole('row').count()).toBe(6)
    await open(`${PAGE}?grade=suspicious`)
    await page.getByRole('link', { name: 'Many accounts on one device' }).click()
    await heading(page, 'Many accounts on one device')
    await page.getByText('suspicious from 8, dangerous from 16').waitFor()
    await page.getByText('A family tablet', { exact: false }).waitFor()
    const made = page.getByRole('region', { name: 'Identifications (9)' })
    await expect.poll(() => made.getByRole('row').count()).toBe(10)
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
    await expect.poll(() => page.getByRole('cell', { name: 'account-1' }).count()).toBe(0)
  })

  test('a ring behind a local address names every member, leads to the address, members and visits, and from there back', async () => {
    const { page } = await signedIn()
    await page.getByRole('row').filter({ hasText: RING }).getByRole('link', { name: 'Many accounts' }).click()
    await heading(page, 'Many accounts on one local IP')
    const ring = page.url()
    const isBack = () => page.waitForURL(ring)

    await page.getByRole('region', { name: 'Summary' }).getByRole('link', { name: RING }).click()
    await heading(page, 'Local IP')
    await page
      .getByRole('region', { name: 'Summary' })
      .getByText(String(RING_SIZE), { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'All identifications' }).click()
    await page.getByText(`${RING_SIZE} identifications match`).waitFor()
    await page.goBack()
    await back(page).click()
    await isBack()

    const showAll = () =>
      page
        .getByRole('button', { name: `Show all ${RING_SIZE}` })
        .first()
        .click()
    await showAll()
    const accounts = page.getByRole('region', { name: `Accounts (${RING_SIZE})` }).getByRole('link')
    const names = Array.from({ length: RING_SIZE }, (_, index) => member(index))
    await expect.poll(async () => (await accounts.allInnerTexts()).toSorted()).toEqual(names)
    // The first and the last stand for all.
    for (const name of [member(0), member(RING_SIZE - 1)]) {
      await accounts.filter({ hasText: name }).click()
      await heading(page, 'Account')
      await back(page).click()
      await isBack()
      await showAll()
    }

    for (const name of [
      `Devices (${RING_DEVICES})`,
      `Visitors (${RING_DEVICES})`,
      `IP addresses (${RING_SIZE})`,
    ]) {
      await page.getByRole('region', { name }).getByRole('link').nth(1).click()
      await page.getByRole('region', { name: 'Part of patterns' }).waitFor()
      await back(page).click()
      await isBack()
    }

    const visits = page
      .getByRole('region', { name: `Identifications (${RING_SIZE})` })
      .locator('td:nth-child(2) a')
    await expect.poll(() => visits.count()).toBe(RING_SIZE)
    await visits.last().click()
    await heading(page, 'Identification')
    await page.getByRole('region', { name: 'Patterns', exact: true }).waitFor()
    await back(page).click()
    await isBack()
  })

  test('all identifications of a pattern are those of its finding, not of its kind, and lead back', async () => {
    const { page } = await signedIn()
    await page.getByRole('row').filter({ hasText: RING }).getByRole('link', { name: 'Many accounts' }).click()
    await page.getByRole('link', { name: 'All identifications of this pattern' }).click()
    await page.getByText(`${RING_SIZE} identifications match`).waitFor()
    await expect.poll(() => page.getByRole('cell', { name: /^other-/ }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Many accounts on one local IP' }).click()
    await page.getByRole('region', { name: `Identifications (${RING_SIZE})` }).waitFor()
  })

  test('that do not exist show an error', async () => {
    const { page, open } = await signedIn()
    await open(`${PAGE}/999`)
    await page.getByText('Pattern not found').waitFor()
    await open(`${PAGE}?state=resolved`)
    await page.getByText('No matching patterns').waitFor()
  })

  test('are accessible in light and dark, and fit a window and a phone', async () => {
    const { page } = await signedIn()
    expect(await flawsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Many accounts on one device' }).click()
    await heading(page, 'Many accounts on one device')
    await page.getByRole('region', { name: 'Identifications (9)' }).waitFor()
    expect(await flawsOf(page)).toEqual([])
  })
})
