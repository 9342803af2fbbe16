import { chromium } from 'patchright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'
import { HEADFUL_USER_AGENT } from '../src/unmarked.ts'

export const patchrightHeadlessClaims: Configuration = {
  id: 'patchright-headless-claims',
  title: 'patchright headless, with user agent, screen and window of a desktop',
  kind: 'automation',
  family: 'patched',
  engine: 'chromium',
  packages: ['patchright-core'],
  display: 'bare',
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({ executablePath: browserPath('chromium'), args: CHROMIUM_ARGS })
    await drivePlaywright(browser, visit, () =>
      browser.newPage({
        userAgent: HEADFUL_USER_AGENT,
        viewport: { width: 1903, height: 947 },
        screen: { width: 1920, height: 1080 },
      }),
    )
  },
}
