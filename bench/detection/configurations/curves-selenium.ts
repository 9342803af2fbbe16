import { chmod, readFile, writeFile } from 'node:fs/promises'
import { By, type WebDriver } from 'selenium-webdriver'
import type { Configuration } from '../src/configuration.ts'
import { CHROMEDRIVER, driveSelenium } from '../src/drive/selenium.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

const STEPS = 12

async function clickAndType(browser: WebDriver, id: string, text: string): Promise<void> {
  const target = await browser.findElement(By.id(id))
  const actions = browser.actions({ async: true })
  for (let step = STEPS; step >= 0; step--)
    await actions.move({ origin: target, x: step * 7, y: Math.round(step ** 1.5), duration: 20 })
  await actions.press().pause(80).release().perform()
  for (const key of text)
    await browser
      .actions()
      .sendKeys(key)
      .pause(70 + Math.round(90 * Math.random()))
      .perform()
}

export const curvesSelenium: Configuration = {
  id: 'curves-selenium',
  title: 'Selenium headful on a desktop, flags off, driver without its cdc_ names: actions in steps, pauses',
  kind: 'automation',
  family: 'curves',
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const driver = `${visit.profile}-driver`
    const program = await readFile(CHROMEDRIVER, 'latin1')
    await writeFile(driver, program.replaceAll('cdc_', 'kln_'), 'latin1')
    await chmod(driver, 0o755)
    await driveSelenium(visit, {
      args: [UNMARKED_ARG],
      excludedSwitches: ['enable-automation'],
      driver,
      async fillIn(browser) {
        for (const [id, text] of [
          ['name', 'ada'],
          ['email', 'ada@home.org'],
          ['join', ''],
        ] as const)
          await clickAndType(browser, id, text)
      },
    })
  },
}
