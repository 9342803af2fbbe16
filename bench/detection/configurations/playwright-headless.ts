import { chromium } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const playwrightHeadless: Configuration = {
  id: 'playwright-headless',
  title: 'Playwright headless',
  kind: 'automation',
  family: 'playwright',
  inMatrix: true,
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'bare',
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({
      executablePath: browserPath('chromium'),
      args: CHROMIUM_ARGS,
      headless: true,
    })
    await drivePlaywright(browser, visit, () => browser.newPage())
  },
}
