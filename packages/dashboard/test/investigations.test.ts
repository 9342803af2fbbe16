import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../../../scripts/demo-data/seed-demo.ts'
import { runPatterns } from '../../server/src/jobs/patterns/run-patterns.ts'
import { dashboardPage } from '../../server/test/dashboard/dashboard-page.ts'
import { startDashboardServer } from '../../server/test/dashboard/dashboard-server.ts'
import { flawsOf } from '../../server/test/dashboard/page-flaws.ts'
import type { TestServer } from '../../server/test/running-server.ts'

/** The demo month has a clear case of each kind of abuse in its last day. */
const VISITS = 1_500

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
  const { store, box, keys } = server
  const period = { days: 30, endMs: Date.now() }
  await seedDemo(store, box, {
    ...period,
    domain: keys.domain,
    count: VISITS,
    // A month with scrapers, which are few among so few visitors.
    seed: 3,
    add: false,
    onProgress: () => {},
  })
  await runPatterns(store, { settledAfterMs: 0, now: () => period.endMs })
}, 400_000)
afterAll(async () => {
  await server?.close()
})

/** An analyst in front of the overview, whose clicks are counted. Nothing but the first page is opened by its address. */
async function analyst(range = '') {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open(`d/shop.example/overview${range}`)
  const needs = page.getByRole('region', { name: 'Needs you' })
  await needs.waitFor()
  const clicks = { count: 0 }
  return {
    page,
    needs,
    clicks,
    async click(target: Locator) {
      clicks.count += 1
      await target.click()
    },
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const entries = () => server.store.reads.selectFrom('list_entries').selectAll().execute()

test('a ring of accounts: from the overview to all of them on the deny list in three clicks', async () => {
  const { page, needs, click, clicks } = await analyst()
  const ring = needs.getByRole('link', { name: 'One local IP behind accounts that look unrelated' })
  await ring.waitFor()
  expect(await flawsOf(page)).toEqual([])
  await click(ring)
  const add = button(page, /^Add \d+ accounts to a list$/)
  const accounts = Number(/\d+/.exec((await add.textContent()) ?? '')?.[0])
  await click(add)
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add' }))
  await page.getByText(`${accounts} accounts are on the list.`).waitFor()
  const denied = (await entries()).filter(({ list, kind }) => list === 'deny' && kind === 'account')
  expect(accounts).toBeGreaterThan(4)
  expect(denied).toHaveLength(accounts)
  expect(new Set(denied.map(({ reason }) => reason))).toEqual(
    new Set(['One local IP behind accounts that look unrelated']),
  )
  expect(clicks.count).toBe(3)

  await button(page, /^Add \d+ accounts to a list$/).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText(/accounts are on the list\. The entries of .+, .+ were replaced\./).waitFor()
})

test('a takeover: from the overview to a challenge with the account on the watch list in eight clicks', async () => {
  const { page, needs, click, clicks } = await analyst()
  await click(needs.getByRole('link', { name: 'All open patterns' }))
  await click(page.getByRole('link', { name: 'New device and new country on one account' }).first())
  await click(button(page, 'Open a case'))
  await click(page.getByRole('menuitem', { name: /^Account/ }))
  const decide = page.getByRole('region', { name: 'Decide' })
  await click(decide.getByText('Challenge', { exact: true }))
  await click(decide.getByRole('combobox', { name: 'List' }))
  await click(page.getByRole('option', { name: 'Watch' }))
  await click(button(page, 'Decide and close'))
  await page.getByText('Decided: Challenge.').waitFor()
  expect((await entries()).filter(({ list, kind }) => list === 'watch' && kind === 'account')).toHaveLength(1)
  expect(clicks.count).toBe(8)
})

test('a scraper: from the overview to its device on the deny list in five clicks at most', async () => {
  // The made-up month has scrapers, but not in each of its weeks.
  const { page, click, clicks } = await analyst('?range=30d')
  const signals = page.getByRole('region', { name: 'Signals' })
  const automated = signals.getByRole('link', { name: 'Browser automation' })
  await signals.getByRole('link').first().waitFor()
  // Which signals are the six most frequent ones depends on the time of the day.
  if ((await automated.count()) === 0) await click(button(page, 'Show more: Signals'))
  await click(automated)
  await click(page.locator('tbody tr').first().getByRole('link').first())
  await click(button(page, 'Add to a list'))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add' }))
  await expect
    .poll(async () => (await entries()).some(({ list, kind }) => list === 'deny' && kind === 'device'))
    .toBe(true)
  expect(clicks.count).toBeLessThanOrEqual(5)
})

test('a false accusation is put right: the account is found by its name, labelled and allowed in six clicks', async () => {
  const accused = await server.store.reads
    .selectFrom('identifications')
    .select('user_hid')
    .where('user_hid', 'like', 'u%')
    .orderBy('score', 'desc')
    .executeTakeFirstOrThrow()
  const { page, click, clicks } = await analyst()
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'What to find' }).fill(accused.user_hid)
  await page.getByRole('option', { name: new RegExp(accused.user_hid) }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await click(button(page, 'Add a label'))
  await page.getByRole('dialog').getByLabel('Label').fill('legitimate')
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add' }))
  await page.getByRole('region', { name: 'Labels' }).getByText('legitimate').waitFor()
  await click(button(page, 'Add to a list'))
  await click(page.getByRole('dialog').getByRole('combobox', { name: 'List' }))
  await click(page.getByRole('option', { name: 'Allow' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add' }))
  await expect
    .poll(async () =>
      (await entries()).some(({ list, value }) => list === 'allow' && value === accused.user_hid),
    )
    .toBe(true)
  expect(clicks.count).toBe(6)
})
