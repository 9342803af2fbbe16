import { Browser, Builder, By } from 'selenium-webdriver'
import { Options, ServiceBuilder } from 'selenium-webdriver/chrome.js'
import { browserPath, CHROMIUM_ARGS } from '../browsers.ts'
import type { Visit } from '../visit.ts'

/** ChromeDriver of Debian, from the same build as its Chromium. */
export const CHROMEDRIVER = '/usr/bin/chromedriver'

export interface SeleniumOptions {
  args: readonly string[]
  excludedSwitches?: readonly string[]
  driver?: string
}

export async function driveSelenium(
  visit: Visit,
  { args, excludedSwitches = [], driver = CHROMEDRIVER }: SeleniumOptions,
): Promise<void> {
  const options = new Options()
  options.setChromeBinaryPath(browserPath('chromium'))
  options.addArguments(...CHROMIUM_ARGS, `--user-data-dir=${visit.profile}`, ...args)
  options.excludeSwitches(...excludedSwitches)
  const browser = await new Builder()
    .forBrowser(Browser.CHROME)
    .setChromeOptions(options)
    .setChromeService(new ServiceBuilder(driver))
    .build()
  try {
    await browser.get(visit.url)
    await visit.measured()
    const name = await browser.findElement(By.id('name'))
    await name.click()
    await name.sendKeys('Ada Lovelace')
    await browser.findElement(By.id('email')).sendKeys('ada@example.org')
    await browser.findElement(By.id('join')).click()
    await visit.final()
  } finally {
    await browser.quit()
  }
}
