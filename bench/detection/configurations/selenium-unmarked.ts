import type { Configuration } from '../src/configuration.ts'
import { driveSelenium } from '../src/drive/selenium.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const seleniumUnmarked: Configuration = {
  id: 'selenium-unmarked',
  title: 'Selenium headful, automation flags off',
  kind: 'automation',
  family: 'webdriver',
  inMatrix: true,
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  run: (visit) => driveSelenium(visit, { args: [UNMARKED_ARG], excludedSwitches: ['enable-automation'] }),
}
