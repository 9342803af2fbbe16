import { Browser, Builder, By, type WebDriver } from 'selenium-webdriver'
import { Options, ServiceBuilder } from 'selenium-webdriver/chrome.js'
import { browserPath, CHROMIUM_ARGS } from '../browsers.ts'
import type { Visit } from '../visit.ts'

/** ChromeDriver of Debian, from the same build as its Chromium. */
export const CHROMEDRIVER = '/usr/bin/chromedriver'

export interface SeleniumOptions {
  args: readonly string[]
  excludedSwitches?: readonly string[]
  driver?: string
  /** WebDriver BiDi beside the classic protocol. */
  bidi?: boolean
  fillIn?(browser: WebDriver): Promise<void>
}

export async function driveSelenium(
  visit: Visit,
  { args, excludedSwitches = [], driver = CHROMEDRIVER, bidi = false, fillIn }: SeleniumOptions,
): Promise<void> {
  const options = new Options()
  options.setChromeBinaryPath(browserPath('chromium'))
  options.addArguments(...CHROMIUM_ARGS, `--user-data-dir=${visit.profile}`, ...args)
  options.excludeSwitches(...excludedSwitches)
  if (bidi) options.enableBidi()
  const browser = await new Builder()
    .forBrowser(Browser.CHROME)
    .setChromeOptions(options)
    .setChromeService(new ServiceBuilder(driver))
    .build()
  await fillInBySelenium(browser, visit, fillIn)
}

/** Opens the page, fills in the form, and ends the browser. */
export async function fillInBySelenium(
  browser: WebDriver,
  visit: Visit,
  fillIn: (browser: WebDriver) => Promise<void> = fillInForm,
): Promise<void> {
  try {
    await browser.get(visit.url)
    await visit.measured()
    await fillIn(browser)
    await visit.final()
  } finally {
    await browser.quit()
  }
}

async function fillInForm(browser: WebDriver): Promise<void> {
  const name = await browser.findElement(By.id('name'))
  await name.click()
  await name.sendKeys('Ada Lovelace')
  await browser.findElement(By.id('email')).sendKeys('ada@example.org')
  await browser.findElement(By.id('join')).click()
}
