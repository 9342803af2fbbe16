import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const puppeteerPipe: Configuration = {
  id: 'puppeteer-pipe',
  title: 'Puppeteer over a pipe, headful on a desktop, flags off, window of its own size',
  kind: 'automation',
  family: 'puppeteer',
  engine: 'chromium',
  packages: ['puppeteer-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      defaultViewport: null,
      headless: false,
      pipe: true,
    })
    await drivePuppeteer(browser, visit)
  },
}
