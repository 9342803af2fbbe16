import { firefox } from 'playwright-core'
import { browserPath, FIREFOX_PREFS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const playwrightFirefox: Configuration = {
  id: 'playwright-firefox',
  title: 'Playwright on Firefox over WebDriver BiDi, headless',
  kind: 'automation',
  family: 'webdriver',
  engine: 'firefox',
  packages: ['playwright-core'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await firefox.launch({
      executablePath: browserPath('firefox'),
      // The regular Firefox instead of Playwright's own build; see test/browsers.ts.
      channel: 'moz-firefox',
      firefoxUserPrefs: { ...FIREFOX_PREFS },
    })
    await drivePlaywright(browser, visit, () => browser.newPage())
  },
}
