import { chmod, readFile, writeFile } from 'node:fs/promises'
import type { Configuration } from '../src/configuration.ts'
import { CHROMEDRIVER, driveSelenium } from '../src/drive/selenium.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const seleniumEmptiedDriver: Configuration = {
  id: 'selenium-emptied-driver',
  title:
    'Selenium headful on a desktop, flags off, driver that leaves nothing in pages (as undetected-chromedriver does)',
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
    // The program keeps its length.
    const emptied = program.replace(/\{window\.cdc.*?;\}/, (script) => '{}'.padEnd(script.length))
    if (emptied === program) throw new Error('the driver leaves nothing to empty')
    await writeFile(driver, emptied, 'latin1')
    await chmod(driver, 0o755)
    await driveSelenium(visit, { args: [UNMARKED_ARG], excludedSwitches: ['enable-automation'], driver })
  },
}
