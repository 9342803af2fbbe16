import { launch } from 'puppeteer-core'
import { browserPath, FIREFOX_PREFS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

export const puppeteerFirefox: Configuration = {
  id: 'puppeteer-firefox',
  title: 'Puppeteer on Firefox over WebDriver BiDi, headless',
  kind: 'automation',
  family: 'webdriver',
  inMatrix: true,
  engine: 'firefox',
  packages: ['puppeteer-core'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      browser: 'firefox',
      executablePath: browserPath('firefox'),
      extraPrefsFirefox: FIREFOX_PREFS,
    })
    await drivePuppeteer(browser, visit)
  },
}
