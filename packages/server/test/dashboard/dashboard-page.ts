import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ConsoleMessage,
  Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { keptBrowser } from '../../../../test/browsers.ts'
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
  server: Pick<TestServer, 'port'>,
  { viewport = WINDOW, colorScheme = 'light', profile }: Look = {},
): Promise<DashboardPage> {
  const root = `http://127.0.0.1:${server.port}`
  const { page, leave } = await (profile ? pageInProfile(profile) : keptPage(root))
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const problems: string[] = []
  const onError = (error: Error) => problems.push(error.message)
  const onConsole = (message: ConsoleMessage) => {
    // Browsers also log expected 4xx responses as errors, and that a test took the server away.
    const isExpected = /the server responded with a status of 4|net::ERR_CONNECTION_/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(message.text())
  }
  page.on('pageerror', onError).on('console', onConsole)
  onTestFinished(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    if (failed) process.stderr.write(await shownOn(page))
    await leave(failed)
    page.off('pageerror', onError).off('console', onConsole)
    expect(problems).toEqual([])
  })
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
      const answer = await page.context().request.post(`${root}/account/login`, {
        data: { email, password: PASSWORD },
      })
      expect(answer.status()).toBe(200)
    },
  }
}

/** What a page shows when its test has failed, because most failures are waits for something else. */
const shownOn = async (page: Page): Promise<string> =>
  `${page.url()} showed:\n${await page.evaluate('document.body.innerText').catch(String)}\n`

interface OpenedPage {
  page: Page
  leave(failed: boolean): Promise<void>
}

async function pageInProfile(options: BrowserContextOptions): Promise<OpenedPage> {
  const context = await newProfile(await keptBrowser('chromium'), options)
  return { page: await context.newPage(), leave: () => context.close() }
}

/**
 * A profile and a page that stay for the next test. A new page takes half of the processor time of a test: the browser
 * starts a process for it, which compiles the whole dashboard once more.
 */
interface KeptProfile {
  context: BrowserContext
  page: Page
  tools: CDPSession
  taken: boolean
}
const keptProfiles = new WeakMap<Browser, Promise<KeptProfile>>()

async function keepProfile(browser: Browser): Promise<KeptProfile> {
  const context = await newProfile(browser)
  context.once('close', () => keptProfiles.delete(browser))
  const page = await context.newPage()
  return { context, page, tools: await context.newCDPSession(page), taken: false }
}

/** The kept page, signed out and without anything stored; if a test asks for a second one, one beside it. */
async function keptPage(root: string): Promise<OpenedPage> {
  const browser = await keptBrowser('chromium')
  const made = keptProfiles.get(browser) ?? keepProfile(browser)
  keptProfiles.set(browser, made)
  const profile = await made
  const { context, page, tools } = profile
  await context.clearCookies()
  await context.setExtraHTTPHeaders(newVisitor())
  if (profile.taken) {
    const another = await context.newPage()
    return { page: another, leave: () => another.close() }
  }
  profile.taken = true
  return {
    page,
    async leave(failed) {
      // What a failed test has left on the page is not known.
      if (failed) return context.close()
      for (const opened of context.pages()) if (opened !== page) await opened.close()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // A page of another site, an empty one too, would end the process.
      await page.goto(`${root}/dashboard/color-scheme.js`)
      await page.evaluate('sessionStorage.clear()')
      await tools.send('Storage.clearDataForOrigin', { origin: root, storageTypes: 'all' })
      profile.taken = false
    },
  }
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
