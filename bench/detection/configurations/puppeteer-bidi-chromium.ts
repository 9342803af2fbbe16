import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const puppeteerBidiChromium: Configuration = {
  id: 'puppeteer-bidi-chromium',
  title: 'Puppeteer on Chromium over WebDriver BiDi, on a desktop, flags off',
  kind: 'automation',
  family: 'webdriver',
  engine: 'chromium',
  packages: ['puppeteer-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      protocol: 'webDriverBiDi',
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      defaultViewport: null,
      headless: false,
    })
    await drivePuppeteer(browser, visit)
  },
}
