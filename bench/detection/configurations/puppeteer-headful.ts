import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

export const puppeteerHeadful: Configuration = {
  id: 'puppeteer-headful',
  title: 'Puppeteer headful',
  kind: 'automation',
  family: 'puppeteer',
  inMatrix: true,
  engine: 'chromium',
  packages: ['puppeteer-core'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      args: CHROMIUM_ARGS,
      headless: false,
    })
    await drivePuppeteer(browser, visit)
  },
}
