import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, OWNER, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'
import { seedVisits } from './seed-visits.ts'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
  await seedVisits(server, 16)
})
afterAll(async () => {
  await server?.close()
})

const TABLE = 'd/shop.example/identifications'
const ABROAD = '?not_country=Germany&not_country=United+Kingdom'
const query = (page: Page) => expect.poll(() => decodeURIComponent(new URL(page.url()).search))
const menu = (page: Page, name = 'Views') => page.getByRole('button', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const loaded = (page: Page) => page.getByText(/identifications match$/).waitFor()

async function table(email: string, path = TABLE) {
  const shown = await dashboardPage(server)
  await shown.enter(email)
  await shown.open(path)
  await shown.page.getByRole('heading', { level: 1, name: 'Identifications' }).waitFor()
  await loaded(shown.page)
  return shown
}

async function saveAs(page: Page, name: string, isShared = false): Promise<void> {
  await page.getByRole('button', { name: /^Views$|\(changed\)$/ }).click()
  await item(page, 'Save the current filters as…').click()
  const dialog = page.getByRole('dialog', { name: 'Save the current filters' })
  await dialog.getByLabel('Name').fill(name)
  if (isShared) await dialog.getByLabel('Share with all users').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await menu(page, name.length > 24 ? `${name.slice(0, 24).trimEnd()}…` : name).waitFor()
  // Away from the row that is below the button by now.
  await page.mouse.move(0, 0)
}

async function stored(name: string) {
  const rows = await server.store.reads
    .selectFrom('saved_views')
    .selectAll()
    .where('name', '=', name)
    .execute()
  return rows[0]
}

test('filters are saved as a shared view, and another user opens it by its link and from the menu', async () => {
  const { page } = await table(ANALYST, `${TABLE}?country=Germany&country=United+Kingdom`)
  const matching = await page.getByText(/identifications match$/).textContent()
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('How country is compared').selectOption('is none of')
  await query(page).toBe(ABROAD.replaceAll('%20', '+'))
  await expect.poll(() => page.getByText(/identifications match$/).textContent()).not.toBe(matching)
  const abroad = await page.getByText(/identifications match$/).textContent()
  await saveAs(page, 'Abroad', true)
  const view = await stored('Abroad')
  await query(page).toBe(`${ABROAD}&view=${view?.id}`)

  const other = await table(OWNER, `${TABLE}?view=${view?.id}`)
  await menu(other.page, 'Abroad').waitFor()
  await query(other.page).toBe(`${ABROAD}&view=${view?.id}`)
  await expect.poll(() => other.page.getByText(/identifications match$/).textContent()).toBe(abroad)
  await other.open(TABLE)
  await loaded(other.page)
  await menu(other.page).click()
  await item(other.page, 'Abroad').press('Enter')
  await query(other.page).toBe(`${ABROAD}&view=${view?.id}`)
})

test('a view says that it is changed, and is updated, renamed, shared and removed from the menu', async () => {
  const { page } = await table(ANALYST, `${TABLE}?band=dangerous&user_hid=robot-17`)
  await saveAs(page, 'Risky')
  expect(await stored('Risky')).toMatchObject({ search: 'band=dangerous', shared: 0, owner: ANALYST })
  await page.getByRole('button', { name: 'Remove Dangerous from filter Band' }).click()
  await query(page).toBe('')
  await menu(page).click()
  await item(page, 'Risky').click()
  await page.locator('th', { hasText: 'Score' }).click()
  await menu(page, 'Risky (changed)').click()
  await item(page, 'Update to the current filters').click()
  await page.getByText('The view was updated.').waitFor()
  await menu(page, 'Risky').click()
  await item(page, 'Rename…').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Riskiest')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await menu(page, 'Riskiest').click()
  await item(page, 'Share with all users').click()
  await page.getByText('The view is shared with all users.').waitFor()
  expect(await stored('Riskiest')).toMatchObject({ search: 'band=dangerous&sort=riskiest', shared: 1 })
  await menu(page, 'Riskiest').click()
  await item(page, 'Remove…').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await menu(page).waitFor()
  expect(await stored('Riskiest')).toBeUndefined()
})

test('a view of somebody else is nothing to see, and what is not one’s own has no way to change it', async () => {
  const { page } = await table(OWNER, `${TABLE}?band=trusted`)
  await saveAs(page, 'Private')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await query(page).toBe('')
  await page.goto(`${page.url()}?band=suspicious`)
  await loaded(page)
  await saveAs(page, 'For all', true)
  const [own, shared] = await Promise.all([stored('Private'), stored('For all')])

  const other = await table(ANALYST, `${TABLE}?view=${own?.id}`)
  await other.page.getByRole('alert').getByText('No such view').waitFor()
  await menu(other.page).click()
  expect(await item(other.page, 'Private').count()).toBe(0)
  await other.open(`${TABLE}?view=${shared?.id}`)
  await menu(other.page, 'For all').click()
  await item(other.page, 'Copy link').waitFor()
  for (const name of ['Rename…', 'Remove…', 'Stop sharing', 'Update to the current filters'])
    expect(await item(other.page, name).count(), name).toBe(0)
})

test('columns are kept in this browser, until the default ones are chosen, and those of a view are its own', async () => {
  const { page, open } = await table(ANALYST)
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await header('Country').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Country', { exact: true }).uncheck()
  await page.getByLabel('Host', { exact: true }).check()
  await header('Host').waitFor()
  await open(TABLE)
  await header('Host').waitFor()
  expect(await header('Country').count()).toBe(0)
  await saveAs(page, 'With hosts')
  expect((await stored('With hosts'))?.search).toContain('columns=time%2Cscore')
  await open(`${TABLE}?columns=time,country`)
  await header('Country').waitFor()
  expect(await header('Host').count()).toBe(0)
  await open(TABLE)
  await header('Host').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Default columns' }).click()
  await header('Country').waitFor()
  await open(TABLE)
  await header('Country').waitFor()
})

test('the menu and the dialog are accessible in light and dark and fit a phone', async () => {
  const { page, open } = await table(ANALYST, `${TABLE}?band=trusted`)
  await saveAs(page, 'A view with a name that is about as long as names may be, so that it is cut')
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('button', { name: /^A view with a name/ }).click()
  await item(page, 'Copy link').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await open(`${TABLE}?band=trusted&user_hid=anna`)
  await loaded(page)
  await menu(page).click()
  await item(page, 'Save the current filters as…').click()
  await page.getByRole('dialog').getByText('keeps no identifiers').waitFor()
  expect(await flawsOf(page)).toEqual([])
})
