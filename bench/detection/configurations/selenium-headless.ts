import type { Configuration } from '../src/configuration.ts'
import { driveSelenium } from '../src/drive/selenium.ts'

export const seleniumHeadless: Configuration = {
  id: 'selenium-headless',
  title: 'Selenium headless',
  kind: 'automation',
  family: 'webdriver',
  inMatrix: true,
  engine: 'chromium',
  packages: ['selenium-webdriver'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  run: (visit) => driveSelenium(visit, { args: ['--headless=new'] }),
}
