import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domainStore } from '../../src/store/domains/domains.ts'
import { labelStore } from '../../src/store/labels/labels.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

const OTHER = 'other.example'
/** Two pages and one more. */
const MANY = 101

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: [OTHER] })
  const domain = await domainStore(server.store.reads).find(OTHER)
  const labels = Array.from({ length: MANY }, (_, index) => ({
    ...{ kind: 'legitimate', source: 'review', atMs: Date.now(), note: '' },
    subject: { type: 'account', value: `account-${index}` } as const,
  }))
  await server.store.writes
    .transaction()
    .execute((transaction) =>
      labelStore(transaction).save(domain?.id ?? 0, labels, { author: 'test', nowMs: Date.now() }),
    )
})
afterAll(() => server?.close())

async function labelsPage(domain: string, email?: string): Promise<Page> {
  const { page, open, enter } = await dashboardPage(server)
  await enter(email)
  await open(`d/${domain}/labels`)
  await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor()
  return page
}

const rows = (page: Page) => page.getByRole('region', { name: 'Labels of the domain' }).locator('tbody tr')

async function importCsv(page: Page, csv: string): Promise<void> {
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'labels.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
}

const CHARGEBACKS = `kind,subject_type,subject_value,source,note
chargeback,account,ann,payment_provider,Order 1042
chargeback,account,bob,payment_provider,Order 1043
fraud,address,91.0.2.3,review,
`

test('chargebacks are imported, found, exported and removed', async () => {
  const page = await labelsPage('shop.example')
  await page.getByText('There are no labels').waitFor()
  await importCsv(page, 'kind,subject_type,subject_value,source\nFRAUD,account,ann,x\nfraud,device,y,x\n')
  const wrong = page.getByRole('region', { name: 'Wrong rows' }).getByRole('listitem')
  await expect.poll(() => wrong.count()).toBe(2)
  await page.getByRole('button', { name: 'Cancel' }).click()

  await importCsv(page, CHARGEBACKS)
  await page.getByText('3 rows imported, 0 of them replaced a label.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(3)
  expect(await flawsOf(page)).toEqual([])

  await page.getByLabel('A part of the value').fill('AN')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('Order 1042')])
  await page.getByLabel('A part of the value').fill('')
  await page.getByRole('combobox', { name: 'Label' }).fill('chargeback')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.poll(() => rows(page).count()).toBe(2)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('shop.example-chargeback.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'chargeback,account,ann,payment_provider',
    'chargeback,account,bob,payment_provider',
  ])

  await page.getByRole('button', { name: 'Remove the label chargeback of bob' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('link', { name: 'ann' }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
})

test('many labels are read page by page, also by an analyst', async () => {
  const page = await labelsPage(OTHER, ANALYST)
  const more = page.getByRole('button', { name: 'Load more' })
  await more.click()
  await expect.poll(() => rows(page).count()).toBe(100)
  await more.click()
  await expect.poll(() => rows(page).count()).toBe(MANY)
  expect(await more.count()).toBe(0)
})
