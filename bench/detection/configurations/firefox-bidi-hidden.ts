import { launch } from 'puppeteer-core'
import { browserPath, FIREFOX_PREFS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

export const firefoxBidiHidden: Configuration = {
  id: 'firefox-bidi-hidden',
  title: 'Puppeteer on Firefox over WebDriver BiDi, on a desktop, with `dom.webdriver.enabled` off',
  kind: 'automation',
  family: 'webdriver',
  engine: 'firefox',
  packages: ['puppeteer-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      browser: 'firefox',
      executablePath: browserPath('firefox'),
      extraPrefsFirefox: { ...FIREFOX_PREFS, 'dom.webdriver.enabled': false },
      defaultViewport: null,
      headless: false,
    })
    await drivePuppeteer(browser, visit)
  },
}
