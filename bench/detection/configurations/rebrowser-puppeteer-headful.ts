import { launch } from 'rebrowser-puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const rebrowserPuppeteerHeadful: Configuration = {
  id: 'rebrowser-puppeteer-headful',
  title: 'rebrowser-puppeteer headful',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['rebrowser-puppeteer-core'],
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
