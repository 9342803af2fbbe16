import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DECIDED } from '../../../contract/src/openapi/example-visit.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { overTor, storeVisit } from '../account/stored-visits.ts'
import { identified } from '../identified.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

const HOUR_MS = 3_600_000
const DAYS = 20
const PAGE = 'd/shop.example/overview'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['quiet.example'] })
  await seedDays(server)
  await seedDecisions(server)
})
afterAll(async () => {
  await server?.close()
})

/** Visits of twenty days. Most are harmless; those of one referrer use Tor. */
async function seedDays({ store }: TestServer): Promise<void> {
  const domain = await domainStore(store.reads).find('shop.example')
  const target = { store, domainId: domain?.id ?? 0, clock: { nowMs: Date.now() } }
  const countries = ['Germany', 'France', 'Japan', '']
  const devices = Array.from({ length: 40 }, () => randomUUID())
  for (let index = 0; index < DAYS * 12; index += 1) {
    const deviceId = devices[(index * 7) % 40] ?? ''
    const risky = index % 4 === 0
    const ip = { ...identified().ip, country: countries[index % 4] ?? '' }
    await storeVisit(target, {
      atMs: target.clock.nowMs - index * 2 * HOUR_MS - 1_000,
      identity: { deviceId, visitorId: deviceId, components: [] },
      traffic: { ...identified().traffic, referrerDomain: risky ? 'bad.example' : 'good.example' },
      ip: risky ? { ...ip, ...overTor().ip, country: ip.country } : ip,
    })
  }
}

/** What was answered in the last hours: three to allow, one to deny. */
async function seedDecisions({ store }: TestServer): Promise<void> {
  const domain = await domainStore(store.reads).find('shop.example')
  for (const [index, action] of (['allow', 'allow', 'deny', 'allow'] as const).entries()) {
    const decided_at = Date.now() - index * HOUR_MS - 1_000
    const answer = {
      ...DECIDED,
      action,
      decision_id: randomUUID(),
      decided_at: new Date(decided_at).toISOString(),
    }
    await store.writes
      .insertInto('decisions')
      .values({
        ...{ domain_id: domain?.id ?? 0, request_id: randomBytes(16), purpose: 'signup', action, decided_at },
        ...{ answer: JSON.stringify(answer), question: '{}', asked: randomBytes(32), idempotency_key: null },
        ...{ account: null, client_address: null, ver: 1, stale: null, later: null },
      })
      .execute()
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const identifications = (page: Page, count: number) =>
  page
    .locator('dl > div')
    .filter({ hasText: /^Identifications/ })
    .getByText(String(count), { exact: true })
    .waitFor()

async function signedIn() {
  const shown = await dashboardPage(server)
  await shown.enter(ANALYST)
  await shown.open('')
  await heading(shown.page, 'Overview')
  await section(shown.page, 'Countries').getByRole('cell').first().waitFor()
  return shown
}

describe('the overview', () => {
  test('opens after signing in and counts the range in its URL', async () => {
    const { page } = await signedIn()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/dashboard/${PAGE}`)
    await page.getByText('24 hours', { exact: true }).click()
    await identifications(page, 12)
    await expect.poll(() => new URL(page.url()).search).toBe('?range=24h')
    await page.reload()
    await identifications(page, 12)
    await page.getByRole('button', { name: 'Custom range' }).click()
    await page.getByLabel('First day').fill(dayAgo(5))
    await page.getByLabel('Last day').fill(dayAgo(4))
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await identifications(page, 24)
    await page.goBack()
    await identifications(page, 12)
  })

  test('a value links to its identifications, also an unknown country', async () => {
    const { page } = await signedIn()
    for (const [name, filter] of [
      ['Germany', 'country=Germany'],
      ['unknown', 'country='],
    ] as const) {
      await section(page, 'Countries').getByRole('link', { name, exact: true }).click()
      await heading(page, 'Identifications')
      await page.locator('tbody tr:has(time)').first().waitFor()
      await expect.poll(() => new URL(page.url()).search).toContain(`${filter}&from=`)
      await page.goBack()
      await heading(page, 'Overview')
    }
    await section(page, 'Signals').getByRole('link', { name: 'Tor network' }).waitFor()
  })

  test('decisions are counted by action, and each count leads to its decisions', async () => {
    const { page, open } = await signedIn()
    const counts = section(page, 'Decisions by action').locator('tbody tr')
    await counts.filter({ hasText: 'Deny' }).getByText('25%').waitFor()
    expect(await counts.allInnerTexts()).toEqual([
      expect.stringMatching(/^Allow\s+75%[\s\S]*3$/),
      expect.stringMatching(/^Review\s+0%[\s\S]*0$/),
      expect.stringMatching(/^Challenge\s+0%[\s\S]*0$/),
      expect.stringMatching(/^Deny\s+25%[\s\S]*1$/),
    ])
    await section(page, 'Decisions by action').getByRole('link', { name: 'Allow' }).click()
    await heading(page, 'Decisions')
    await page.getByRole('cell', { name: 'Sign-up through a hosting company' }).first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(3)
    expect(await flawsOf(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Deny' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await open(`${PAGE}?first=${dayAgo(9)}&last=${dayAgo(3)}`)
    await section(page, 'Decisions by action').getByText('No decision was asked for in this range').waitFor()
  })

  test('sources with enough visits are ranked by risk; others show “too few”', async () => {
    const { page } = await signedIn()
    const rows = section(page, 'Traffic sources by risk').locator('tbody tr')
    await section(page, 'Traffic sources by risk').getByText('Referrers').click()
    await rows.filter({ hasText: 'good.example' }).waitFor()
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.stringMatching(/good\.example[\s\S]*\d\.\d$/),
        expect.stringMatching(/bad\.example[\s\S]*too few$/),
      ])
    await page.getByText('30 days', { exact: true }).click()
    await rows
      .first()
      .filter({ hasText: /bad\.example.*\d\.\d$/ })
      .waitFor()
  })

  test('the charts are also available as a table', async () => {
    const { page } = await signedIn()
    await page.getByRole('button', { name: 'Charts as a table' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'Charts as a table' }).locator('tbody tr').count())
      .toBe(7)
  })

  test('the scale of the average risk ends close above it', async () => {
    const { page, open } = await signedIn()
    await open(`${PAGE}?first=${dayAgo(9)}&last=${dayAgo(3)}`)
    const risk = section(page, 'Average risk')
    await risk.getByText('this scale ends at 30 of 100').waitFor()
    const ticks = risk.locator('.recharts-yAxis-tick-labels .recharts-cartesian-axis-tick-value')
    await expect.poll(() => ticks.allTextContents()).toEqual(['0', '10', '20', '30'])
    // A quarter of all visits have 99 points: on a scale that ends at 100, the line would be in its lower third.
    const heightOfLine = async () => {
      const line = await risk.locator('.recharts-line path').first().boundingBox()
      const chart = await risk.locator('.recharts-surface').first().boundingBox()
      return line && chart ? (line.y - chart.y) / chart.height : Number.NaN
    }
    await expect.poll(heightOfLine).toBeLessThan(0.5)
  })

  test('the day that is not over is marked in every chart', async () => {
    const { page } = await signedIn()
    for (const name of ['Identifications by band', 'Average risk', 'Visitors', 'Devices'])
      await section(page, name)
        .getByText(/\d+ \w+, so far$/)
        .waitFor()
    await section(page, 'Identifications by band').getByText('The last one is pale').waitFor()
    const bars = section(page, 'Identifications by band').locator('.recharts-bar-rectangle path')
    const opacities = () => bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('fill-opacity')))
    await expect.poll(async () => [...new Set(await opacities())].toSorted()).toEqual(['0.5', '1'])
  })

  test('a click beside the bars leads nowhere', async () => {
    const { page } = await signedIn()
    const chart = section(page, 'Identifications by band')
    await chart.locator('.recharts-bar-rectangle').first().waitFor()
    await chart
      .locator('.recharts-surface')
      .first()
      .click({ position: { x: 3, y: 150 } })
    await page.locator('main').getByText('Share at risk').click()
    await expect.poll(() => chart.getByRole('radio', { name: 'Share at risk' }).isChecked()).toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/dashboard/${PAGE}`)
  })

  test('a range that is over has no open day', async () => {
    const { page, open } = await signedIn()
    await open(`${PAGE}?first=${dayAgo(9)}&last=${dayAgo(3)}`)
    await section(page, 'Identifications by band').locator('.recharts-bar-rectangle').first().waitFor()
    expect(await page.getByText('so far').count()).toBe(0)
  })

  test('a domain without visits links to Integration', async () => {
    const { page, open } = await signedIn()
    await open('d/quiet.example/overview')
    await page.getByText('No identifications in this range').waitFor()
    await page.locator('main').getByRole('link', { name: 'integration' }).click()
    await heading(page, 'Integration')
  })

  test('a failed request shows an error and can be retried', async () => {
    const { page } = await signedIn()
    await page.route('**/overview?*', (route) =>
      route.fulfill({ status: 404, json: { error: 'no such domain' } }),
    )
    await page.getByText('90 days', { exact: true }).click()
    await page.getByRole('alert').getByText('no such domain').waitFor()
    await page.unroute('**/overview?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await section(page, 'Countries').waitFor()
  })

  test('is accessible in light and dark, and fits a window and a phone', async () => {
    const { page } = await signedIn()
    await section(page, 'Device types').getByRole('cell').first().waitFor()
    expect(await flawsOf(page)).toEqual([])
  })
})

const dayAgo = (days: number): string => new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10)
