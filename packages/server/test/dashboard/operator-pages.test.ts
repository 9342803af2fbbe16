import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FEED_SAMPLES, type FeedServer, startFeedServer } from '../feed-server.ts'
import type { TestServer } from '../running-server.ts'
import { makeDirectory, type OwnDirectory } from '../temporary-store.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'
import { seedVisits } from './seed-visits.ts'

const LONG_FEED = 'provider_of_hosting_addresses_ipv6'

let publisher: FeedServer
let folder: OwnDirectory
let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  publisher = await startFeedServer()
  publisher.publish('/tor', FEED_SAMPLES.lines.content)
  folder = await makeDirectory()
  const file = join(folder.path, 'feeds.json')
  const feed = (id: string) => ({
    id,
    url: publisher.url(`/${id}`),
    parser: 'lines',
    kind: 'tor',
    terms: 'ours',
  })
  await writeFile(file, JSON.stringify([feed('tor'), feed('gone'), feed(LONG_FEED)]))
  server = await startDashboardServer({ settings: { FEEDS: file } })
  await seedVisits(server, 40)
})
afterAll(async () => {
  await server?.close()
  publisher?.close()
  await folder?.remove()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function shown(path: string, name: string, email?: string) {
  const { page, open, enter } = await dashboardPage(server)
  await enter(email)
  await open(path)
  await heading(page, name)
  return page
}
const RULES = 'd/shop.example/rules'
const rulesPage = (email?: string) => shown(RULES, 'Weights and rules', email)

describe('weights and rules', () => {
  test('weights can be back-tested, saved with a note and reverted', async () => {
    const page = await rulesPage()
    await page.getByLabel('Weight of Browser automation').fill('20')
    await page.getByText('You have not back-tested these weights yet.').waitFor()
    await page.getByRole('button', { name: 'Back-test these weights' }).click()
    await page.getByText('of 40 visits would change.').waitFor()
    await expect.poll(() => page.getByText('You have not back-tested').count()).toBe(0)
    const [sample] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('region', { name: 'Examples of visits' }).getByRole('link').first().click(),
    ])
    await heading(sample, 'Identification')
    await sample.close()

    await page.getByLabel('Note for the history').fill('robots are welcome')
    await page.getByRole('button', { name: 'Save weights' }).click()
    await page.getByText('Visits are scored with version 1.').waitFor()
    await page.getByText('robots are welcome').waitFor()
    await page
      .getByRole('row', { name: /^Default/ })
      .getByRole('button', { name: 'Use' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use' }).click()
    await page.getByText('Visits are scored with the default weights. A').waitFor()
    await expect.poll(() => page.getByLabel('Weight of Browser automation').inputValue()).toBe('60')
  })

  test('a weight above its cap is announced, refused and left as it was typed', async () => {
    const page = await rulesPage()
    const row = page.getByRole('listitem').filter({ has: page.getByLabel('Weight of VPN', { exact: true }) })
    await row.getByText('at most 29').waitFor()
    const vpn = row.getByLabel('Weight of VPN', { exact: true })
    await vpn.fill('290')
    await vpn.press('Tab')
    await expect.poll(() => vpn.inputValue()).toBe('290')
    await expect.poll(() => row.getByRole('alert').textContent()).toBe('At most 29')
    for (const name of ['Save weights', 'Back-test these weights'])
      await expect.poll(() => page.getByRole('button', { name }).isDisabled(), { message: name }).toBe(true)
    await vpn.fill('29')
    await expect.poll(() => page.getByRole('button', { name: 'Save weights' }).isDisabled()).toBe(false)
  })

  test('a signal can be switched off and on, and needs a weight', async () => {
    const page = await rulesPage()
    const vpn = page.getByLabel('Weight of VPN', { exact: true })
    await page.getByText('VPN', { exact: true }).first().waitFor()
    await page.getByRole('switch', { name: 'Use VPN', exact: true }).press('Space')
    await expect.poll(() => vpn.inputValue()).toBe('0')
    await page.getByRole('switch', { name: 'Use VPN', exact: true }).press('Space')
    await expect.poll(() => vpn.inputValue()).toBe('15')
    await vpn.fill('')
    await expect.poll(() => page.getByRole('button', { name: 'Save weights' }).isDisabled()).toBe(true)
  })

  test('leaving unsaved changes asks for confirmation', async () => {
    const page = await rulesPage()
    await page.getByLabel('Weight of Tor network').fill('50')
    await page.getByRole('link', { name: 'System health' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await heading(page, 'Weights and rules')
    await expect.poll(() => page.getByLabel('Weight of Tor network').inputValue()).toBe('50')
    await page.getByRole('link', { name: 'System health' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'System health')
  })

  test('an analyst sees the weights and cannot change them', async () => {
    const page = await rulesPage(ANALYST)
    await page.getByText('Overlapping signals').waitFor()
    expect(await page.getByRole('button', { name: /Save|Back-test|Use|Load/ }).count()).toBe(0)
    await expect.poll(() => page.getByLabel('Weight of Tor network').isEditable()).toBe(false)
  })

  test('an identification shows which version of the weights scored it', async () => {
    const page = await rulesPage()
    await page.getByLabel('Weight of Tor network').fill('12')
    await page.getByLabel('Note for the history').fill('twelve for Tor')
    await page.getByRole('button', { name: 'Save weights' }).click()
    await page.getByText('twelve for Tor').waitFor()
    const saved = await page.getByText(/^Visits are scored with version \d/).textContent()
    const [version] = saved?.match(/\d+/) ?? []
    const sent = await seedVisits(server, 1)
    await page.goto(
      `http://127.0.0.1:${server.port}/dashboard/d/shop.example/identifications/${sent.get('anna')?.[0]}`,
    )
    await page.getByText(`version ${version}`, { exact: true }).waitFor()
  })
})

describe('feeds', () => {
  test('are accessible in light and dark, fit a window and a phone, and names do not break inside words', async () => {
    const page = await shown('feeds', 'Feeds')
    const heightOf = async (feed: string): Promise<number> => {
      const name = page.getByRole('row').getByRole('code').getByText(feed, { exact: true })
      return (await name.boundingBox())?.height ?? 0
    }
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await heightOf(LONG_FEED)).toBeLessThan((await heightOf('tor')) * 1.5)
    }
    expect(await flawsOf(page)).toEqual([])
  })

  const rowOf = (page: Page, feed: string) =>
    page.getByRole('row').filter({ has: page.locator(`code:text-is("${feed}")`) })

  test('an owner updates them; each shows its state and its failure', async () => {
    const page = await shown('feeds', 'Feeds')
    await page.getByRole('button', { name: 'Update all' }).click()
    await rowOf(page, 'tor').getByText('Current').waitFor()
    await rowOf(page, 'gone').getByText('answers 404').waitFor()
    await expect.poll(() => rowOf(page, 'tor').textContent()).toContain(publisher.url('/tor'))
  })

  test('an analyst cannot update them', async () => {
    const page = await shown('feeds', 'Feeds', ANALYST)
    await rowOf(page, 'tor').waitFor()
    expect(await page.getByRole('button', { name: /Update/ }).count()).toBe(0)
  })
})

test('system health lists problems first, with advice', async () => {
  const page = await shown('health', 'System health', ANALYST)
  const first = page.getByRole('region', { name: 'Checks' }).getByRole('listitem').first()
  await expect.poll(() => first.textContent()).toMatch(/^(Warning|Problem)/)
  await page.getByText('Set TURN_PORT to a free port').waitFor()
  await page.getByRole('heading', { name: 'Recent identifications' }).waitFor()
})
