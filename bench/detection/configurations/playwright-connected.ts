import { chromium } from 'playwright-core'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'

export const playwrightConnected: Configuration = {
  id: 'playwright-connected',
  title: 'Playwright, `connectOverCDP` to a browser on a desktop, `delay` on clicks and keys',
  kind: 'automation',
  family: 'connected',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const browser = await chromium.connectOverCDP(socketUrl)
      const [context] = browser.contexts()
      const page = context?.pages()[0] ?? (await browser.newPage())
      await page.goto(visit.url)
      await visit.measured()
      for (const [selector, text] of [
        ['#name', 'ada'],
        ['#email', 'ada@home.org'],
      ] as const) {
        await page.click(selector, { delay: 80 })
        await page.locator(selector).pressSequentially(text, { delay: 110 })
      }
      await page.click('#join', { delay: 80 })
      await visit.final()
    }),
}
