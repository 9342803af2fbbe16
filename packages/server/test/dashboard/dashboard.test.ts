import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { sessionStore, userStore } from '../../src/store/users/users.ts'
import { storeLimitedVisit } from '../account/stored-visits.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { as, identify } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, PASSWORD, startDashboardServer } from './dashboard-server.ts'
import { seedVisits } from './seed-visits.ts'
import { severable } from './severable.ts'

let server: TestServer & { close(): Promise<void> }
let receiver: Receiver & { close(): void }
let visits: Map<string, string[]>

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startDashboardServer({
    otherDomains: ['other.example', 'third.example'],
    endpoints: [receiver.url],
  })
  visits = await seedVisits(server, 72)
  await moveToAnEarlierDay(visits.get('anna')?.[0] ?? '')
})
afterAll(async () => {
  await server?.close()
  receiver?.close()
})

const DAYS_SINCE_ANNA = 3

/** So that an account has days without visits. */
async function moveToAnEarlierDay(requestId: string): Promise<void> {
  await server.store.writes
    .updateTable('identifications')
    .set({ created_at: Date.now() - DAYS_SINCE_ANNA * 86_400_000 })
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .execute()
}

const DATA = 'd/shop.example/identifications'
const newestOf = (account: string): string => visits.get(account)?.at(-1) ?? ''
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const pathOf = (page: Page): string => new URL(page.url()).pathname

/** A page with a session, where nothing is open yet. */
async function signedIn(email?: string) {
  const shown = await dashboardPage(server)
  await shown.enter(email)
  return shown
}

describe('signing in', () => {
  test('opens the busiest domain, survives a reload and ends with signing out', async () => {
    const { page, signIn } = await dashboardPage(server)
    await signIn()
    await heading(page, 'Overview')
    await expect.poll(() => pathOf(page)).toBe('/dashboard/d/shop.example/overview')
    await page.reload()
    await heading(page, 'Overview')
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    await page.goBack()
    await heading(page, 'Sign in')
  })

  test('a wrong password shows an error and nothing else', async () => {
    const { page, signIn } = await dashboardPage(server)
    await signIn(ANALYST, 'wrong horse')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('password is wrong')
    await expect.poll(() => pathOf(page)).toBe('/dashboard/login')
  })

  test('too many attempts show their own error', async () => {
    const { page, signIn } = await dashboardPage(server, {
      profile: { extraHTTPHeaders: from('198.51.100.1') },
    })
    for (let count = 0; count < 10; count += 1)
      await fetch(`${server.url}/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from('198.51.100.1') },
        body: JSON.stringify({ email: `guess${count}@shop.example`, password: 'x' }),
      })
    await signIn()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Too many attempts')
  })

  test('an ended session leads to the login page, and from there back', async () => {
    const { page, open } = await signedIn(ANALYST)
    // The click must be the first request of the ended session, so the page must not poll.
    await open(DATA)
    await page.getByText('50 shown').waitFor()
    await page.waitForLoadState('networkidle')
    const analyst = await userStore(server.store.reads).findByEmail(ANALYST)
    await sessionStore(server.store.writes).removeOfUser(analyst?.id ?? 0)
    await page.getByRole('link', { name: 'Integration' }).click()
    await heading(page, 'Sign in')
    await page.getByLabel('E-mail').fill(ANALYST)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Integration')
  })

  test('signing in leads back to the requested page', async () => {
    const { page, open } = await dashboardPage(server)
    await open(`${DATA}?band=dangerous`)
    await page.getByLabel('E-mail').fill(ANALYST)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Identifications')
    await expect.poll(() => new URL(page.url()).search).toBe('?band=dangerous')
  })

  test('an expired access token is renewed silently', async () => {
    const { page, open } = await signedIn()
    await open('')
    await heading(page, 'Overview')
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
  async function allRows() {
    const { page, open } = await signedIn()
    await open(DATA)
    await page.getByText('50 shown').waitFor()
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.locator('table[aria-rowcount="73"]').waitFor()
    return { page, open }
  }

  test('search, filters and order are kept in the URL, and a row opens', async () => {
    const { page, open } = await signedIn()
    await open(DATA)
    const rows = page.locator('tbody tr:has(time)')
    await page.getByLabel('Account to search for').fill('robot-17')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('9 identifications match').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Country', { exact: true }).fill('Germany')
    await page.getByLabel('Country', { exact: true }).press('Enter')
    await page.getByLabel('Band', { exact: true }).click()
    await page.getByRole('option', { name: 'Dangerous' }).click()
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe('?user_hid=robot-17&country=Germany&band=dangerous')
    await page.reload()
    await page.getByText('9 identifications match').waitFor()
    await page.getByRole('button', { name: /^Remove .* from filter Account$/ }).click()
    await rows.first().getByRole('link').first().click()
    await heading(page, 'Identification')
  })

  test('more rows load on demand, and can be sorted by risk', async () => {
    const { page, open } = await allRows()
    await open(`${DATA}?sort=riskiest`)
    await page.getByText('50 shown').waitFor()
    await expect.poll(() => page.locator('tbody tr').first().textContent()).toContain('Dangerous')
  })

  test('rows that fly by show their first column, and the others when it is over', async () => {
    const { page } = await allRows()
    const cellsInFlight = await page.evaluate(`new Promise((done) => {
      const box = document.querySelector('[aria-label=Identifications]')
      const cells = []
      const jump = () => {
        cells.push(box.querySelector('tbody tr').children.length)
        box.scrollTop = cells.length % 2 * box.scrollHeight
        if (cells.length < 12) requestAnimationFrame(jump)
        else done(cells)
      }
      requestAnimationFrame(jump)
    })`)
    const columns = await page.getByRole('columnheader').count()
    expect(columns).toBeGreaterThan(1)
    expect(cellsInFlight).toEqual(expect.arrayContaining([1, columns]))
    await expect
      .poll(async () => (await page.getByRole('cell').count()) / (await page.locator('tbody tr').count()))
      .toBe(columns)
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
    // Not `check`, which expects it to be checked at once: the choice goes through the URL.
    await page.getByRole('checkbox', { name: 'System' }).click()
    await page.getByRole('columnheader', { name: 'System' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toContain('os')
  })
})

test('an identification shows its score entries, identifiers and event', async () => {
  const { page, open } = await signedIn()
  await open(`${DATA}/${newestOf('robot-17')}`)
  const score = page.getByRole('region', { name: 'Score' })
  await score.getByText('Browser automation', { exact: true }).waitFor()
  await expect.poll(() => score.textContent()).toContain('+60')
  await page.getByRole('region', { name: 'Other signals' }).waitFor()
  await page.getByRole('button', { name: 'delivered' }).click()
  const body = page.getByRole('region', { name: /^Body of delivery/ })
  await expect.poll(() => body.textContent()).toMatch(/^\{.*\}$/s)
  const { data } = JSON.parse((await body.textContent()) ?? '')
  expect(data.request_id).toBe(newestOf('robot-17'))
  await page.getByRole('link', { name: 'robot-17' }).click()
  await heading(page, 'Account')
  await expect.poll(() => page.getByRole('region', { name: 'Devices (1)' }).textContent()).toContain('9')
})

test('evidence is in words, apart from the points of the score, and leads to innocent causes', async () => {
  const { page, open } = await signedIn()
  await open(`${DATA}/${newestOf('robot-17')}`)
  const score = page.getByRole('region', { name: 'Score' })
  await score.getByText('a program controls it (navigator.webdriver)').waitFor()
  const text = (await score.textContent()) ?? ''
  expect(text).toMatch(/Strength of these signs\d+, on a scale of its own/)
  expect(text).not.toMatch(/Points\d|[{}[\]]/)
  await score.getByRole('link', { name: 'Innocent causes' }).first().click()
  await heading(page, 'Browser automation')
  await page.getByRole('region', { name: 'Innocent causes' }).getByText('end-to-end tests').waitFor()
  await page.getByRole('link', { name: 'Identifications with this signal' }).click()
  await heading(page, 'Identifications')
  await expect.poll(() => new URL(page.url()).search).toBe('?signal=browser_automation')
})

test('an identification of another domain is not found', async () => {
  const { page, open } = await signedIn()
  await open(`d/other.example/identifications/${newestOf('anna')}`)
  await page.getByText('No such identification').waitFor()
})

test('the integration page waits for the first identification and links to it', async () => {
  const { page, open } = await signedIn()
  await open('d/other.example/integration')
  await page.getByText('Waiting for the first identification').waitFor()
  const [other] = server.others
  if (!other) throw new Error('no other domain')
  await expect
    .poll(() => page.getByRole('region', { name: '1. In your page' }).textContent())
    .toContain(other.public_key)
  const requestId = randomUUID()
  await identify(as(server, other), requestId, ordinaryBody())
  await page.getByRole('link', { name: 'Open it' }).click()
  await heading(page, 'Identification')
  await expect.poll(() => pathOf(page)).toBe(`/dashboard/d/other.example/identifications/${requestId}`)
})

test('the account of visitors without one is no link', async () => {
  const { page, open } = await signedIn()
  await open(DATA)
  await page.getByRole('cell', { name: 'anonymous' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'anonymous' }).count()).toBe(0)
  await open(`${DATA}/${newestOf('anonymous')}`)
  await page.getByRole('region', { name: 'Identifiers' }).getByText('anonymous', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'anonymous' }).count()).toBe(0)
  await open('d/shop.example/entity?type=user_hid&value=anonymous')
  await page.getByText('stands for visitors without an account').waitFor()
})

test('an account shows its days in the colour of their band, those without visits included', async () => {
  const { page, open } = await signedIn()
  await open('d/shop.example/entity?type=user_hid&value=anna')
  await heading(page, 'Account')
  const activity = page.getByRole('region', { name: 'Activity', exact: true })
  await activity
    .getByText(/, so far$/)
    .first()
    .waitFor()
  const colours = () =>
    activity
      .locator('.recharts-bar-rectangle path')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('fill')))
  await expect.poll(async () => (await colours()).length).toBeGreaterThan(1)
  expect((await colours()).filter((colour) => colour?.includes('red'))).toEqual([])
  await activity.getByRole('button', { name: 'Activity as a table' }).click()
  const rows = activity.getByRole('region', { name: 'Activity as a table' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(DAYS_SINCE_ANNA + 1)
  await expect.poll(() => rows.nth(1).textContent()).toMatch(/0none$/)
  await expect.poll(() => rows.last().textContent()).toMatch(/so far/)
})

test('an address that was rate limited alone is not scored; a score stands without trust where evidence is unknown', async () => {
  const address = '198.51.100.99'
  const clock = { nowMs: Date.now() }
  const domain = await domainStore(server.store.reads).find('shop.example')
  await storeLimitedVisit({ store: server.store, domainId: domain?.id ?? 0, clock }, address)
  const { page, open } = await signedIn()
  await open(`d/shop.example/entity?type=ip&value=${address}`)
  await heading(page, 'IP address')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect.poll(() => summary.textContent()).toMatch(/Average scorenot scoredHighest scorenot scored$/)

  await open('d/shop.example/entity?type=user_hid&value=anna')
  await heading(page, 'Account')
  await expect.poll(() => summary.textContent()).toMatch(/Highest score\d+$/)
})

describe('a wrong address', () => {
  test.each([
    [`${DATA}/not-an-id`, 'a request ID is a UUID of 36 characters'],
    [
      `${DATA}/0191e7a0-1111-4222-8333-444455556666`,
      'It may have been erased, or it belongs to another domain.',
    ],
    ['d/shop.example/patterns/seven', 'each pattern that was found has a number'],
    ['d/shop.example/entity?type=device_id&value=seven', 'Enter a complete UUID of 36 characters.'],
    ['d/shop.example/entity?type=local_ip&value=seven', 'Enter an IPv4 address'],
    ['d/shop.example/entity?type=planet&value=mars', 'The address names nothing'],
    ['d/shop.example/signals/smell', 'The server has no signal named “smell”.'],
    ['d/shop.exampel/overview', 'shop.exampel, which is not a domain that you can see'],
    [`${DATA}?device_id=seven&band=dangerous`, 'Device: seven. The visits below are not filtered by it.'],
    [`${DATA}?finding=seven&sort=random&from=yesterday`, 'The visits below are not filtered by it.'],
    ['d/shop.example/nothing-here', 'The dashboard has no page at this address.'],
  ])('%s is answered with a sentence, within the frame', async (path, sentence) => {
    const { page, open } = await signedIn()
    await open(path)
    await page.getByText(sentence).waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/\^\[|must match|NaN|undefined/)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  })
})

test('a page that was never loaded keeps the frame while the server is down, and loads when it is back', async () => {
  const link = await severable(server)
  onTestFinished(link.sever)
  const { page, open, enter } = await dashboardPage(link)
  await enter()
  await open('')
  await heading(page, 'Overview')
  await link.sever()
  await page.getByRole('link', { name: 'Weights and rules' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await alert.getByText('This page could not be loaded: the server cannot be reached.').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.getByText('after 2 attempts').waitFor()
  await link.restore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Weights and rules')
  await page.getByText('Overlapping signals').waitFor()
})

test('what was loaded before the server went down says since when it is not current', async () => {
  const link = await severable(server)
  onTestFinished(link.sever)
  const { page, open, enter } = await dashboardPage(link)
  await enter()
  await open('health')
  await page.getByText('Pending checks').waitFor()
  await link.sever()
  const alert = page.getByRole('main').getByRole('alert')
  await alert.getByText('Not current since').waitFor()
  await page.getByText('Pending checks').waitFor()
  await link.restore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
})

test('a machine without a network reaches the server on itself', async () => {
  const { page, open } = await signedIn()
  await open('')
  await heading(page, 'Overview')
  await page.evaluate("dispatchEvent(new Event('offline'))")
  await page.getByRole('link', { name: 'Weights and rules' }).click()
  await page.getByText('Overlapping signals').waitFor()
})

test('a dialog does not move where the system asks for reduced motion', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  await page.getByRole('button', { name: 'Add a domain' }).waitFor()
  const moving = await page.evaluate(`(async () => {
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Add a domain').click()
    let most = 0
    for (let frames = 0; frames < 10; frames += 1) {
      await new Promise(requestAnimationFrame)
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
      const moves = transitions.filter(({ transitionProperty }) => !transitionProperty.endsWith('color'))
      most = Math.max(most, moves.length)
    }
    return most
  })()`)
  await page.getByRole('dialog', { name: 'Add a domain' }).waitFor()
  expect(moving).toBe(0)
})

test('neither Escape nor a click outside closes a secret that is shown once', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  const card = page.getByRole('region', { name: 'third.example' })
  await card.getByRole('button', { name: 'Rotate a key' }).click()
  await page.getByRole('menuitem', { name: 'API key' }).click()
  await page.getByLabel('Type third.example to confirm').fill('third.example')
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New key of third.example' })
  await dialog.getByText(/^sec_/).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await dialog.getByText(/^sec_/).waitFor()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await dialog.waitFor({ state: 'hidden' })
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
  await open('')
  await heading(page, 'Overview')
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
