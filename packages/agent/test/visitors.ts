import type { BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { TestBrowser } from '../../../test/browsers.ts'
import type { AgentSite } from './agent-site.ts'

/**
 * New visitors for the tests of a suite, each for one test. They get a profile and a window that was cleared after the
 * test before, because opening a window takes Firefox most of a second of processor time. Not for tests of the follow-up
 * channel, which a browser opens only once it has no other one to the host.
 */
export function visitorsOf(browser: TestBrowser, site: () => AgentSite): () => Promise<BrowserContext> {
  let free: BrowserContext | undefined
  return async () => {
    const context = free ?? (await browser.running().newContext())
    free = undefined
    onTestFinished(async () => {
      const isClear = await clear(context, site().page)
      if (isClear && !free) free = context
      else await context.close()
    })
    return context
  }
}

/** Still at the origin, because another one would start a process. */
const cleared = new WeakSet<Page>()

/** The window that the last test left, once, then new ones. */
export async function openWindow(context: BrowserContext): Promise<Page> {
  const [left] = context.pages().filter((page) => cleared.delete(page))
  return left ?? context.newPage()
}

/** Removes what a test left of a visit. Returns false if no window is open any more. */
async function clear(context: BrowserContext, origin: string): Promise<boolean> {
  const [window, ...others] = context.pages()
  for (const page of others) await page.close()
  if (!window) return false
  for (const event of ['console', 'pageerror', 'request', 'websocket'] as const)
    window.removeAllListeners(event)
  // A page of the origin that does nothing: the last one no longer runs.
  await window.goto(`${origin}/cleared`)
  await window.evaluate(`(async () => {
    while ((await navigator.locks.query()).held.length > 0) await new Promise(requestAnimationFrame)
    localStorage.clear()
    sessionStorage.clear()
  })()`)
  await context.clearCookies()
  cleared.add(window)
  return true
}
