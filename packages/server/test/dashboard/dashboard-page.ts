import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { from } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { OWNER, PASSWORD } from './dashboard-server.ts'

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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
  onTestFinished(async () => {
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
      await page.getByLabel('Email').fill(email)
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
  const context = await browser.newContext({ locale: 'en-GB', extraHTTPHeaders: newVisitor(), ...options })
  // A busy machine takes long to draw a page, and a test has a limit of its own.
  context.setDefaultTimeout(120_000)
  return context
}

/** A new address each time, because one may try to sign in only ten times a minute. */
function newVisitor(): Record<string, string> {
  visitors += 1
  return from(`192.0.2.${visitors % 256}`)
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/**
 * Serious accessibility violations that axe finds. Injected as text, which the policy allows.
 * @param rules only these rules, such as those that depend on the colours
 */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await AXE)
  // The details of what was passed take longer than the checks.
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const result = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

const WINDOW = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** What is wrong with the looks of a page: in light and dark, in a window and on a phone. */
export async function flawsOf(page: Page): Promise<string[]> {
  const flaws = [...(await lookFlaws(page, 'light', WINDOW))]
  // Only colours differ between the two.
  flaws.push(...(await lookFlaws(page, 'dark', WINDOW, ['color-contrast'])))
  flaws.push(...(await lookFlaws(page, 'light', PHONE)))
  await page.setViewportSize(WINDOW)
  return flaws
}

/** Colours on their way are none of either scheme. */
const TRANSITIONS_ENDED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished))`

async function lookFlaws(
  page: Page,
  colorScheme: 'light' | 'dark',
  size: { width: number; height: number },
  rules?: readonly string[],
): Promise<string[]> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
  await page.evaluate(TRANSITIONS_ENDED)
  const found = [
    ...(await seriousViolations(page, rules)),
    ...(await cutButtons(page)).map((text) => `cut button: ${text}`),
    ...((await scrollsSideways(page)) ? ['scrolls sideways'] : []),
  ]
  return found.map((flaw) => `${page.url()}, ${colorScheme}, ${size.width} px: ${flaw}`)
}

/** Texts of the buttons of which a part is out of sight: outside of what they are in, or longer than the button. */
const cutButtons = async (page: Page): Promise<string[]> =>
  (await page.evaluate(`[...document.querySelectorAll('main button, main a.mantine-Button-root')].filter((button) => {
    const label = button.querySelector('.mantine-Button-label')
    if (label && label.scrollWidth > label.clientWidth + 1) return true
    const { left, right } = button.getBoundingClientRect()
    for (let around = button.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue
      const edges = around.getBoundingClientRect()
      // Wholly out of sight is what scrolling is for.
      if (right > edges.right + 1 && left < edges.right) return true
      if (left < edges.left - 1 && right > edges.left) return true
    }
    return false
  }).map((button) => button.textContent)`)) as string[]

/** Whether the page needs horizontal scrolling. */
const scrollsSideways = async (page: Page): Promise<boolean> =>
  (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean
