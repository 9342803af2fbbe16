import { chromium } from 'patchright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const patchrightHeadless: Configuration = {
  id: 'patchright-headless',
  title: 'patchright headless',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['patchright-core'],
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
