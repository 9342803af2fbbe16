import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidToText } from '../../src/lib/uuid.ts'
import { ADDRESSES } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'
import { seedVisits } from './seed-visits.ts'

let server: TestServer & { close(): Promise<void> }
let device: string

beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
  await seedVisits(server, 16)
  const { device_id } = await server.store.reads
    .selectFrom('identifications')
    .select('device_id')
    .where('user_hid', '=', 'anna')
    .executeTakeFirstOrThrow()
  device = uuidToText(device_id)
})
afterAll(async () => {
  await server?.close()
})

const START = 'd/shop.example/overview'
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const box = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
const field = (page: Page) => box(page).getByRole('combobox', { name: 'What to find' })
const rows = (page: Page) => box(page).getByRole('option')

async function signedIn(path = START, title = 'Overview', email = ANALYST) {
  const shown = await dashboardPage(server)
  await shown.enter(email)
  await shown.open(path)
  await heading(shown.page, title)
  return shown
}

async function openByKey(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await box(page).locator('[role=combobox]:focus').waitFor()
}

test('opened by key, the beginning of an ID in capitals leads to the page of the device', async () => {
  const { page } = await signedIn()
  await openByKey(page)
  await page.keyboard.type(device.slice(0, 6).toUpperCase())
  await rows(page).filter({ hasText: device }).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Device')
  await page.getByRole('main').getByText(device).first().waitFor()
  await box(page).waitFor({ state: 'detached' })
  await page.locator('#main:focus').waitFor()
})

test('an ID that is pasted and sent off at once is waited for', async () => {
  const { page } = await signedIn()
  await openByKey(page)
  await page.keyboard.insertText(device)
  await page.keyboard.press('Enter')
  await heading(page, 'Device')
})

test('an ID that is sent off before it is known what the user may see is waited for', async () => {
  const { page } = await signedIn()
  const answered = Promise.withResolvers<void>()
  await page.route(/\/account\/domains$/, async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Find anything' }).waitFor()
  await openByKey(page)
  await page.keyboard.insertText(device)
  await page.keyboard.press('Enter')
  await box(page).getByText('Looking…').waitFor()
  answered.resolve()
  await heading(page, 'Device')
})

test('arrow keys choose a row, which the field names, and go round', async () => {
  const { page } = await signedIn()
  await page.getByRole('button', { name: 'Find anything' }).click()
  await field(page).fill('rules')
  await expect.poll(() => rows(page).count()).toBeGreaterThan(2)
  const active = async () => {
    const id = await field(page).getAttribute('aria-activedescendant')
    const selected = box(page).getByRole('option', { selected: true })
    expect([await selected.count(), await selected.getAttribute('id')]).toEqual([1, id])
    return (await rows(page).evaluateAll((all) => all.map((row) => row.id))).indexOf(id ?? '')
  }
  await page.getByText('results. Arrow keys choose').waitFor()
  const last = (await rows(page).count()) - 1
  const seen = [await active()]
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown']) {
    await page.keyboard.press(key)
    seen.push(await active())
  }
  expect(seen).toEqual([0, 1, 0, last, 0])
})

test('Escape closes the box and gives the focus back', async () => {
  const { page } = await signedIn()
  const button = page.getByRole('button', { name: 'Find anything' })
  await button.click()
  await field(page).fill('x')
  await page.keyboard.press('Escape')
  await box(page).waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: 'Find anything' }).waitFor()
})

test('a country, an address, a network and a page lead to where they are shown', async () => {
  const { page } = await signedIn()
  for (const [typed, row, title, address] of [
    ['de', 'Germany', 'Identifications', 'country=Germany'],
    [ADDRESSES.home, 'IP address', 'IP address', `value=${ADDRESSES.home}`],
    [`${ADDRESSES.home}/24`, 'Network', 'Identifications', '%2F24'],
    ['anna', 'Account', 'Account', 'value=anna'],
    ['system h', 'System health', 'System health', '/health'],
    // From a page without a domain in the domain that was shown.
    ['lists', 'Lists', 'Lists', '/d/shop.example/lists'],
  ] as const) {
    await openByKey(page)
    await field(page).fill(typed)
    await rows(page).filter({ hasText: row }).first().click()
    await heading(page, title)
    expect(page.url()).toContain(address)
    await box(page).waitFor({ state: 'detached' })
  }
})

test('what does not exist is said and leads nowhere', async () => {
  const { page } = await signedIn()
  await openByKey(page)
  for (const [typed, said] of [
    ['198.51.100.200', 'No identification came from 198.51.100.200.'],
    ['AS13335', 'AS13335 is on no list.'],
    ['case 77', 'There is no case 77.'],
    ['nobody-has-this', 'Nothing in shop.example is called “nobody-has-this”.'],
    ['%\'"<b>👩‍🔬', 'Nothing in shop.example is called “%\'"<b>👩‍🔬”.'],
  ] as const) {
    await field(page).fill(typed)
    await box(page).getByText(said).waitFor()
    expect(await rows(page).count()).toBe(0)
    await page.keyboard.press('Enter')
  }
  expect(new URL(page.url()).pathname).toBe(`/dashboard/${START}`)
})

test('what was found last stands in the empty box, until the user signs out', async () => {
  const { page, enter, open } = await signedIn()
  await openByKey(page)
  await field(page).fill('anna')
  await rows(page).filter({ hasText: 'Account' }).click()
  await heading(page, 'Account')
  await page.reload()
  await heading(page, 'Account')
  await openByKey(page)
  await box(page).getByText('Found last on this browser').waitFor()
  expect(await rows(page).allTextContents()).toEqual(['annaAccount'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Signed in as' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('inkling-recent-finds'))).toBeNull()
  await enter(ANALYST)
  await open(START)
  await heading(page, 'Overview')
  await openByKey(page)
  expect(await rows(page).count()).toBe(0)
})

test('the key is among those that are shown for “?”', async () => {
  const { page } = await signedIn('d/shop.example/cases', 'Cases')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('find anything, on every page').waitFor()
  // Nothing opens over another dialog.
  await page.keyboard.press('Control+K')
  expect(await box(page).count()).toBe(0)
})

test('empty, with results and with nothing, the box is accessible in light and dark and fits a phone', async () => {
  const { page } = await signedIn()
  await openByKey(page)
  expect(await flawsOf(page)).toEqual([])
  await field(page).fill(device.slice(0, 6))
  await rows(page).filter({ hasText: device }).waitFor()
  expect(await flawsOf(page)).toEqual([])
  await field(page).fill('rules')
  await page.getByText('results. Arrow keys choose').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await field(page).fill('192.0.2.254')
  await box(page).getByText('No identification came from').waitFor()
  expect(await flawsOf(page)).toEqual([])
})
