import { chromium, devices } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const playwrightPhone: Configuration = {
  id: 'playwright-phone',
  title: 'Playwright headless, flags off, as a Pixel 7',
  kind: 'automation',
  family: 'playwright',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'bare',
  spoofs: true,
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
    })
    await drivePlaywright(browser, visit, () => browser.newPage({ ...devices['Pixel 7'] }))
  },
}
