import { chmod, readFile, writeFile } from 'node:fs/promises'
import type { Configuration } from '../src/configuration.ts'
import { CHROMEDRIVER, driveSelenium } from '../src/drive/selenium.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const seleniumPatchedDriver: Configuration = {
  id: 'selenium-patched-driver',
  title: 'Selenium headful, flags off, driver without its cdc_ names (as undetected-chromedriver does)',
  kind: 'automation',
  family: 'webdriver',
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const driver = `${visit.profile}-driver`
    const program = await readFile(CHROMEDRIVER, 'latin1')
    await writeFile(driver, program.replaceAll('cdc_', 'xyz_'), 'latin1')
    await chmod(driver, 0o755)
    await driveSelenium(visit, { args: [UNMARKED_ARG], excludedSwitches: ['enable-automation'], driver })
  },
}
