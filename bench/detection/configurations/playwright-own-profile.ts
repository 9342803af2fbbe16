import { chromium } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

const DELAY_MS = 90

export const playwrightOwnProfile: Configuration = {
  id: 'playwright-own-profile',
  title: 'Playwright with its own profile on a desktop, flags off, no viewport, `delay` on clicks and keys',
  kind: 'automation',
  family: 'playwright',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const context = await chromium.launchPersistentContext(visit.profile, {
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: false,
      viewport: null,
    })
    const page = await context.newPage()
    await drivePlaywright(context, visit, async () => ({
      goto: (url) => page.goto(url),
      click: (selector) => page.click(selector, { delay: DELAY_MS }),
      locator: (selector) => ({
        pressSequentially: (text) => page.locator(selector).pressSequentially(text, { delay: DELAY_MS }),
      }),
    }))
  },
}
