import { Browser, Builder } from 'selenium-webdriver'
import { Options, ServiceBuilder } from 'selenium-webdriver/chrome.js'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { CHROMEDRIVER, fillInBySelenium } from '../src/drive/selenium.ts'

export const connectedSelenium: Configuration = {
  id: 'connected-selenium',
  title: 'Selenium, attached to a browser on a desktop by its debugging address',
  kind: 'automation',
  family: 'connected',
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const options = new Options()
      options.debuggerAddress(`127.0.0.1:${new URL(socketUrl).port}`)
      const browser = await new Builder()
        .forBrowser(Browser.CHROME)
        .setChromeOptions(options)
        .setChromeService(new ServiceBuilder(CHROMEDRIVER))
        .build()
      await fillInBySelenium(browser, visit)
    }),
}
