import { chmod, readFile, writeFile } from 'node:fs/promises'
import type { Configuration } from '../src/configuration.ts'
import { CHROMEDRIVER, driveSelenium } from '../src/drive/selenium.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const seleniumBidi: Configuration = {
  id: 'selenium-bidi',
  title: 'Selenium headful on a desktop, flags off, driver without its cdc_ names, WebDriver BiDi on',
  kind: 'automation',
  family: 'webdriver',
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const driver = `${visit.profile}-driver`
    const program = await readFile(CHROMEDRIVER, 'latin1')
    await writeFile(driver, program.replaceAll('cdc_', 'qbf_'), 'latin1')
    await chmod(driver, 0o755)
    const args = [UNMARKED_ARG]
    await driveSelenium(visit, { args, excludedSwitches: ['enable-automation'], driver, bidi: true })
  },
}
