import { launch } from 'puppeteer-core'
import { browserPath, FIREFOX_PREFS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

const DELAY_MS = 90

export const firefoxBidiDesktop: Configuration = {
  id: 'firefox-bidi-desktop',
  title: 'Puppeteer on Firefox over WebDriver BiDi, on a desktop, `delay` on clicks and keys',
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
      extraPrefsFirefox: FIREFOX_PREFS,
      defaultViewport: null,
      headless: false,
    })
    await drivePuppeteer(browser, visit, async () => {
      const page = await browser.newPage()
      return {
        goto: (url) => page.goto(url),
        click: (selector) => page.click(selector, { delay: DELAY_MS }),
        type: (selector, text) => page.type(selector, text, { delay: DELAY_MS }),
      }
    })
  },
}
