import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../../test/browsers.ts'
import { sessionStore, userStore } from '../../src/store/users/users.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { as, identify } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, PASSWORD, startDashboardServer } from './dashboard-server.ts'
import { seedVisits } from './seed-visits.ts'

let server: TestServer & { close(): Promise<void> }
let receiver: Receiver & { close(): void }
let browser: Browser
let visits: Map<string, string[]>

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startDashboardServer({
    otherDomains: ['other.example', 'third.example'],
    endpoints: [receiver.url],
  })
  visits = await seedVisits(server, 72)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  receiver?.close()
})

const DATA = 'd/shop.example/identifications'
const newestOf = (account: string): string => visits.get(account)?.at(-1) ?? ''
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const pathOf = (page: Page): string => new URL(page.url()).pathname

async function signedIn(email?: string, options = {}) {
  const shown = await dashboardPage(browser, server, options)
  await shown.signIn(email)
  await heading(shown.page, 'Overview')
  return shown
}

describe('signing in', () => {
  test('opens the busiest domain, survives a reload and ends with signing out', async () => {
    const { page } = await signedIn()
    expect(pathOf(page)).toBe('/dashboard/d/shop.example/overview')
    await page.reload()
    await heading(page, 'Overview')
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    await page.goBack()
    await heading(page, 'Sign in')
  })

  test('a wrong password shows an error and nothing else', async () => {
    const { page, signIn } = await dashboardPage(browser, server)
    await signIn(ANALYST, 'wrong horse')
    expect(await page.getByRole('alert').textContent()).toContain('password is wrong')
    expect(pathOf(page)).toBe('/dashboard/login')
  })

  test('too many attempts show their own error', async () => {
    const { page, signIn } = await dashboardPage(browser, server, {
      extraHTTPHeaders: from('198.51.100.1'),
    })
    for (let count = 0; count < 10; count += 1)
      await fetch(`${server.url}/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from('198.51.100.1') },
        body: JSON.stringify({ email: `guess${count}@shop.example`, password: 'x' }),
      })
    await signIn()
    expect(await page.getByRole('alert').textContent()).toContain('Too many attempts')
  })

  test('an ended session leads to the login page, and from there back', async () => {
    const { page, open } = await signedIn(ANALYST)
    // The click must be the first request of the ended session, so the page must not poll.
    await open(DATA)
    await page.waitForLoadState('networkidle')
    const analyst = await userStore(server.store.reads).findByEmail(ANALYST)
    await sessionStore(server.store.writes).removeOfUser(analyst?.id ?? 0)
    await page.getByRole('link', { name: 'Integration' }).click()
    await heading(page, 'Sign in')
    await page.getByLabel('Email').fill(ANALYST)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Integration')
  })

  test('signing in leads back to the requested page', async () => {
    const { page, open } = await dashboardPage(browser, server)
    await open(`${DATA}?band=dangerous`)
    await page.getByLabel('Email').fill(ANALYST)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Identifications')
    expect(new URL(page.url()).search).toBe('?band=dangerous')
  })

  test('an expired access token is renewed silently', async () => {
    const { page } = await signedIn()
    let refused = 0
    await page.route('**/account/domains', async (route) => {
      refused += 1
      if (refused > 1) return route.continue()
      return route.fulfill({ status: 401, json: { error: 'missing or invalid access token' } })
    })
    await page.getByRole('link', { name: 'Domains and keys' }).click()
    await page.getByRole('heading', { name: 'third.example' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'third.example' }).waitFor()
    expect(refused).toBeGreaterThan(1)
  })
})

describe('the table of identifications', () => {
  test('search, filters and order are kept in the URL, and a row opens', async () => {
    const { page, open } = await signedIn()
    await open(DATA)
    const rows = page.locator('tbody tr:has(time)')
    await page.getByLabel('Account to search for').fill('robot-17')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('9 in total').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Country').fill('Germany')
    await page.getByLabel('Country').press('Enter')
    await page.getByRole('combobox', { name: 'Band' }).click()
    await page.getByRole('option', { name: 'Dangerous' }).click()
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe('?user_hid=robot-17&country=Germany&band=dangerous')
    await page.reload()
    await page.getByText('9 in total').waitFor()
    await page.getByRole('button', { name: 'Remove filter Account' }).click()
    await rows.first().getByRole('link').first().click()
    await heading(page, 'Identification')
  })

  test('more rows load on demand, and can be sorted by risk', async () => {
    const { page, open } = await signedIn()
    await open(DATA)
    await page.getByText('50 shown').waitFor()
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByText('72 in total').waitFor()
    await open(`${DATA}?sort=riskiest`)
    await page.getByText('50 shown').waitFor()
    expect(await page.locator('tbody tr').first().textContent()).toContain('Dangerous')
  })

  test('live mode shows a new visit', async () => {
    const { page, open } = await signedIn()
    await open(`${DATA}?user_hid=late-visitor&live=on`)
    await page.getByText('No matching identifications').waitFor()
    await identify(server, randomUUID(), ordinaryBody({ user_hid: 'late-visitor' }))
    await page.getByText('Live: the latest 1').waitFor()
  })

  test('other columns can be chosen', async () => {
    const { page, open } = await signedIn()
    await open(DATA)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'System' }).check()
    await page.getByRole('columnheader', { name: 'System' }).waitFor()
    expect(new URL(page.url()).searchParams.get('columns')).toContain('os')
  })
})

test('an identification shows its score entries, identifiers and event', async () => {
  const { page, open } = await signedIn()
  await open(`${DATA}/${newestOf('robot-17')}`)
  const score = page.getByRole('region', { name: 'Score' })
  await score.getByText('Browser automation', { exact: true }).waitFor()
  expect(await score.textContent()).toContain('+60')
  await page.getByRole('region', { name: 'Other signals' }).waitFor()
  await page.getByRole('button', { name: 'delivered' }).click()
  const body = await page.getByRole('region', { name: /^Body of delivery/ }).textContent()
  const { data } = JSON.parse(body ?? '')
  expect(data.request_id).toBe(newestOf('robot-17'))
  await page.getByRole('link', { name: 'robot-17' }).click()
  await heading(page, 'Account')
  expect(await page.getByRole('region', { name: 'Devices (1)' }).textContent()).toContain('9')
})

test('an identification of another domain is not found', async () => {
  const { page, open } = await signedIn()
  await open(`d/other.example/identifications/${newestOf('anna')}`)
  expect(await page.getByRole('alert').textContent()).toContain('no such identification')
})

test('the integration page waits for the first identification and links to it', async () => {
  const { page, open } = await signedIn()
  await open('d/other.example/integration')
  await page.getByText('Waiting for the first identification').waitFor()
  const [other] = server.others
  if (!other) throw new Error('no other domain')
  expect(await page.getByRole('region', { name: '1. In your page' }).textContent()).toContain(
    other.public_key,
  )
  const requestId = randomUUID()
  await identify(as(server, other), requestId, ordinaryBody())
  await page.getByRole('link', { name: 'Open it' }).click()
  await heading(page, 'Identification')
  expect(pathOf(page)).toBe(`/dashboard/d/other.example/identifications/${requestId}`)
})

test('the keys of a new domain are shown once', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  await page.getByRole('button', { name: 'Add a domain' }).click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('new.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Keys of new.example' })
  const [apiKey = ''] = /sec_[a-z0-9-]{26}/.exec((await dialog.textContent()) ?? '') ?? []
  expect(apiKey).not.toBe('')
  await dialog.getByRole('button', { name: 'I have copied them' }).click()
  await page.getByRole('heading', { name: 'new.example' }).waitFor()
  expect(await page.content()).not.toContain(apiKey)
})

test('an erasure needs the typed identifier, and removes its data', async () => {
  const { page, open } = await signedIn()
  await open('d/shop.example/privacy')
  await page.getByLabel('Value').fill('ben')
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByLabel('Type ben to confirm').fill('ben')
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByText('9 identifications were erased.').waitFor()
  await open(`${DATA}?user_hid=ben`)
  await page.getByText('No matching identifications').waitFor()
})

test('an analyst sees all data and no control that changes it', async () => {
  const { page, open } = await signedIn(ANALYST)
  for (const name of ['Users', 'Audit log', 'Privacy'])
    expect(await page.getByRole('link', { name }).count()).toBe(0)
  await open('domains')
  await page.getByRole('heading', { name: 'shop.example' }).waitFor()
  await open('d/shop.example/webhooks')
  await page.getByRole('button', { name: 'Delivery log' }).waitFor()
  const controls = page.getByRole('main').getByRole('switch')
  expect(await controls.count()).toBe(0)
  for (const name of ['Add', 'Rotate', 'Remove', 'Verify', 'Test'])
    expect(await page.getByRole('main').getByRole('button', { name }).count()).toBe(0)
})
