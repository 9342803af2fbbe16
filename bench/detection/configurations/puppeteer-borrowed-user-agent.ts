import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { HEADFUL_USER_AGENT, MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const puppeteerBorrowedUserAgent: Configuration = {
  id: 'puppeteer-borrowed-user-agent',
  title: 'Puppeteer headless, flags off, with the user agent of a headful browser and a larger window',
  kind: 'automation',
  family: 'puppeteer',
  engine: 'chromium',
  packages: ['puppeteer-core'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG, `--user-agent=${HEADFUL_USER_AGENT}`, '--window-size=1440,900'],
      ignoreDefaultArgs: [MARKING_ARG],
      defaultViewport: null,
    })
    await drivePuppeteer(browser, visit)
  },
}
