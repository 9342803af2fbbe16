import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const puppeteerUnmarked: Configuration = {
  id: 'puppeteer-unmarked',
  title: 'Puppeteer headful, automation flags off',
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
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: false,
    })
    await drivePuppeteer(browser, visit)
  },
}
