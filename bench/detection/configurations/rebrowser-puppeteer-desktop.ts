import { launch } from 'rebrowser-puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

const DELAY_MS = 80

export const rebrowserPuppeteerDesktop: Configuration = {
  id: 'rebrowser-puppeteer-desktop',
  title: 'rebrowser-puppeteer headful on a desktop, flags off, no viewport, `delay` on clicks and keys',
  kind: 'automation',
  family: 'patched',
  engine: 'chromium',
  packages: ['rebrowser-puppeteer-core'],
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
    })
    await drivePuppeteer(browser, visit, async () => {
      const page = await browser.newPage()
      return {
        goto: (url) => page.goto(url),
        click: (selector) => page.click(selector, { delay: DELAY_MS }),
        type: (selector, text) => page.type(selector, text, { delay: DELAY_MS }),
      }
    })
  },
}
