import { chromium } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'
import { HEADFUL_USER_AGENT, UNMARKED_ARG } from '../src/unmarked.ts'

export const playwrightHeadlessClaims: Configuration = {
  id: 'playwright-headless-claims',
  title: 'Playwright headless, flags off, with user agent, screen and window of a desktop',
  kind: 'automation',
  family: 'playwright',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'bare',
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
    })
    await drivePlaywright(browser, visit, () =>
      browser.newPage({
        userAgent: HEADFUL_USER_AGENT,
        viewport: { width: 1903, height: 947 },
        screen: { width: 1920, height: 1080 },
      }),
    )
  },
}
