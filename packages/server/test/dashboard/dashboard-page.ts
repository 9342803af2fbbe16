import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { from } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { OWNER, PASSWORD } from './dashboard-server.ts'
import { WINDOW } from './page-flaws.ts'

export interface DashboardPage {
  page: Page
  /** Opens a path of the dashboard. */
  open(path: string): Promise<void>
  /** Signs in by the form. */
  signIn(email?: string, password?: string): Promise<void>
  /** Signs in without a page, for tests of what comes after: the next page that is opened has the session. */
  enter(email?: string): Promise<void>
}

interface Look {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** For a browser profile of its own, where others are signed in at the same time. */
  profile?: BrowserContextOptions
}

let visitors = 0

/** A page of a signed-out visitor. Blocked resources and script errors fail the test. */
export async function dashboardPage(
  browser: Browser,
  server: Pick<TestServer, 'port'>,
  { viewport = WINDOW, colorScheme = 'light', profile }: Look = {},
): Promise<DashboardPage> {
  const context = profile ? await newProfile(browser, profile) : await sharedProfile(browser)
  const page = await context.newPage()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // Browsers also log expected 4xx responses as errors, and that a test took the server away.
    const isExpected = /the server responded with a status of 4|net::ERR_CONNECTION_/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(message.text())
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(await shownOn(page))
    if (profile) await context.close()
    else for (const opened of context.pages()) await opened.close()
    expect(problems).toEqual([])
  })
  const root = `http://127.0.0.1:${server.port}`
  const open = async (path: string) => {
    await page.goto(`${root}/dashboard/${path}`)
  }
  return {
    page,
    open,
    async signIn(email = OWNER, password = PASSWORD) {
      await open('login')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password').and(page.locator('input')).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    async enter(email = OWNER) {
      const answer = await context.request.post(`${root}/account/login`, {
        data: { email, password: PASSWORD },
      })
      expect(answer.status()).toBe(200)
    },
  }
}

/** What a page shows when its test has failed, because most failures are waits for something else. */
const shownOn = async (page: Page): Promise<string> =>
  `${page.url()} showed:\n${await page.evaluate('document.body.innerText').catch(String)}\n`

/** One for the tests of a file, because making one takes as much of the processor as drawing a page. */
const shared = new WeakMap<Browser, Promise<BrowserContext>>()

async function sharedProfile(browser: Browser): Promise<BrowserContext> {
  const made = shared.get(browser) ?? newProfile(browser)
  shared.set(browser, made)
  const context = await made
  await context.setStorageState({ cookies: [], origins: [] })
  await context.setExtraHTTPHeaders(newVisitor())
  return context
}

async function newProfile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    // On a busy machine a dialog may move between the press and the release of a button, which then is no click.
    reducedMotion: 'reduce',
    extraHTTPHeaders: newVisitor(),
    ...options,
  })
  // A busy machine takes long to draw a page, and a test has a limit of its own.
  context.setDefaultTimeout(120_000)
  return context
}

/** A new address each time, because one may try to sign in only ten times a minute. */
function newVisitor(): Record<string, string> {
  visitors += 1
  return from(`192.0.2.${visitors % 256}`)
}
