import { chromium } from 'rebrowser-playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const rebrowserPlaywrightHeadful: Configuration = {
  id: 'rebrowser-playwright-headful',
  title: 'rebrowser-playwright headful',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['rebrowser-playwright-core'],
  display: 'bare',
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({
      executablePath: browserPath('chromium'),
      args: CHROMIUM_ARGS,
      headless: false,
    })
    await drivePlaywright(browser, visit, () => browser.newPage())
  },
}
