import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ipv4ToText } from '../../src/lib/address.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'
import { seedVisits } from './seed-visits.ts'

let server: TestServer & { close(): Promise<void> }
/** Visits by country; without one they count as unknown. */
let visits: Record<string, number>

beforeAll(async () => {
  server = await startDashboardServer()
  await seedVisits(server, 16)
  const rows = await server.store.reads.selectFrom('identifications').select('country').execute()
  visits = {}
  for (const { country } of rows) visits[country ?? ''] = (visits[country ?? ''] ?? 0) + 1
})
afterAll(async () => {
  await server?.close()
})

const TABLE = 'd/shop.example/identifications'
const count = (...countries: string[]): number =>
  countries.reduce((sum, country) => sum + (visits[country] ?? 0), 0)
const matches = (page: Page, total: number) =>
  page.getByText(`${total} identifications match`, { exact: true }).waitFor()
const query = (page: Page) => expect.poll(() => decodeURIComponent(new URL(page.url()).search))
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
/** A program as text, because the server's code knows no types of a page. */
async function paste(input: Locator, text: string): Promise<void> {
  await input.focus()
  await input.page().evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(pasted)
  }`)
}
const chips = (page: Page) => page.getByRole('group', { name: 'Filters' })

async function table(path = TABLE) {
  const shown = await dashboardPage(server)
  await shown.enter(ANALYST)
  await shown.open(path)
  await shown.page.getByRole('heading', { level: 1, name: 'Identifications' }).waitFor()
  return shown
}

test('two countries are added by keyboard, negated, and removed one by one', async () => {
  expect(Object.keys(visits).length).toBeGreaterThan(2)
  expect([count('Germany'), count('United Kingdom')].every((visited) => visited > 0)).toBe(true)
  const { page } = await table()
  await matches(page, 16)
  await page.getByRole('button', { name: 'Filters' }).click()
  await field(page, 'Country').focus()
  for (const country of ['Germany', 'United Kingdom']) {
    await page.keyboard.type(country)
    await page.keyboard.press('Enter')
  }
  await query(page).toBe('?country=Germany&country=United+Kingdom')
  await matches(page, count('Germany', 'United Kingdom'))
  await chips(page).getByText('Country is any of').waitFor()

  await field(page, 'How country is compared').selectOption('is none of')
  await query(page).toBe('?not_country=Germany&not_country=United+Kingdom')
  await matches(page, 16 - count('Germany', 'United Kingdom'))
  await chips(page).getByText('Country is none of').waitFor()

  await chips(page).getByRole('button', { name: 'Remove Germany from filter Country' }).press('Enter')
  await query(page).toBe('?not_country=United+Kingdom')
  await matches(page, 16 - count('United Kingdom'))
  await field(page, 'Country').press('Backspace')
  await query(page).toBe('')
  await matches(page, 16)
})

test('choices are added and removed by mouse, and all filters are cleared at once', async () => {
  const { page } = await table(`${TABLE}?user_hid=anna&sort=riskiest`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await field(page, 'Band').click()
  for (const name of ['Trusted', 'Dangerous']) await page.getByRole('option', { name }).click()
  await query(page).toBe('?user_hid=anna&sort=riskiest&band=trusted&band=dangerous')
  await chips(page).getByRole('button', { name: 'Remove Trusted from filter Band' }).click()
  await query(page).toBe('?user_hid=anna&sort=riskiest&band=dangerous')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await query(page).toBe('?sort=riskiest')
  await matches(page, 16)
})

test('several accounts are searched for, negated, and what is no ID is refused', async () => {
  const rows = await server.store.reads
    .selectFrom('identifications')
    .select(({ fn }) => ['user_hid', fn.countAll<number>().as('visits')])
    .where('user_hid', '<>', '')
    .groupBy('user_hid')
    .orderBy('user_hid')
    .limit(2)
    .execute()
  const [one, other] = rows.map(({ user_hid }) => user_hid)
  const total = rows.reduce((sum, row) => sum + Number(row.visits), 0)
  expect(rows).toHaveLength(2)
  const { page } = await table(`${TABLE}?user_hid=${one}`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await field(page, 'Account').focus()
  await page.keyboard.type(other ?? '')
  await page.keyboard.press('Enter')
  await query(page).toBe(`?user_hid=${one}&user_hid=${other}`)
  await matches(page, total)
  await field(page, 'How account is compared').selectOption('is none of')
  await query(page).toBe(`?not_user_hid=${one}&not_user_hid=${other}`)
  await matches(page, 16 - total)
  await field(page, 'Device').focus()
  await page.keyboard.type('0191e7a0')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a complete UUID of 36 characters.').waitFor()
  await query(page).toBe(`?not_user_hid=${one}&not_user_hid=${other}`)
})

test('pasted networks and addresses are searched for, negated, and what is no address is refused', async () => {
  const rows = await server.store.reads.selectFrom('identifications').select('ip').execute()
  const [one = ''] = rows.flatMap(({ ip }) => (ip === null ? [] : [ipv4ToText(ip)]))
  const total = rows.filter(({ ip }) => ipv4ToText(ip) === one).length
  const { page } = await table(`${TABLE}?ip=192.0.2.0/32`)
  await matches(page, 0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await paste(field(page, 'IP address'), `${one}/32, ${one}`)
  await query(page).toBe(`?ip=192.0.2.0/32&ip=${one}/32&ip=${one}`)
  await matches(page, total)
  await field(page, 'How ip address is compared').selectOption('is none of')
  await matches(page, 16 - total)
  await field(page, 'IP address').focus()
  await page.keyboard.type('192.0.2')
  await page.keyboard.press('Enter')
  await page.getByText('Enter an IP address, or a network such as 2001:db8::/48.').waitFor()
})

test('an address with a value that means nothing says so, and filters by the others', async () => {
  const { page } = await table(`${TABLE}?country=Germany&country=&band=evil`)
  await page.getByRole('alert').getByText('Band: evil').waitFor()
  await chips(page).getByText('unknown').waitFor()
  await matches(page, count('Germany', ''))
})

test('nothing found is said with its total', async () => {
  const { page } = await table(`${TABLE}?country=Iceland`)
  await page.getByText('No matching identifications').waitFor()
  await matches(page, 0)
})

test('filters are accessible in light and dark and fit a phone', async () => {
  const { page } = await table(
    `${TABLE}?country=Germany&country=United+Kingdom&not_signal=tor&not_signal=vpn&not_browser=Firefox`,
  )
  await page.getByRole('button', { name: 'Filters' }).click()
  await field(page, 'Country').waitFor()
  await page.locator('tbody tr:has(time)').first().waitFor()
  expect(await flawsOf(page)).toEqual([])
})
