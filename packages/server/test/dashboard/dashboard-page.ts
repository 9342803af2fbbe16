import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { from } from '../contract/roomy-settings.ts'
import type { TestServer } from '../running-server.ts'
import { OWNER, PASSWORD } from './dashboard-server.ts'

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface DashboardPage {
  page: Page
  /** Opens a path of the dashboard. */
  open(path: string): Promise<void>
  signIn(email?: string, password?: string): Promise<void>
}

let visitors = 0

/** A page with its own profile. Blocked resources and script errors fail the test. */
export async function dashboardPage(
  browser: Browser,
  server: Pick<TestServer, 'port'>,
  options: BrowserContextOptions = {},
): Promise<DashboardPage> {
  visitors += 1
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    // A new address each time, because one may try to sign in only ten times a minute.
    extraHTTPHeaders: from(`192.0.2.${visitors % 256}`),
    ...options,
  })
  // A busy machine takes long to draw a page, and a test has a limit of its own.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // Browsers also log expected 4xx responses as errors, and that a test took the server away.
    const isExpected = /the server responded with a status of 4|net::ERR_CONNECTION_/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(problems).toEqual([])
  })
  const open = async (path: string) => {
    await page.goto(`http://127.0.0.1:${server.port}/dashboard/${path}`)
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
  }
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** Serious accessibility violations that axe finds. Injected as text, which the policy allows. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(await AXE)
  const result = (await page.evaluate('axe.run()')) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/** Texts of the buttons of which a part is out of sight: outside of what they are in, or longer than the button. */
export const cutButtons = async (page: Page): Promise<string[]> =>
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
export const scrollsSideways = async (page: Page): Promise<boolean> =>
  (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean
