import { createCursor } from 'ghost-cursor'
import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const ghostCursor: Configuration = {
  id: 'ghost-cursor',
  title: 'Puppeteer headful, automation flags off, ghost-cursor',
  kind: 'automation',
  family: 'curves',
  inMatrix: true,
  engine: 'chromium',
  packages: ['puppeteer-core', 'ghost-cursor'],
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
    await drivePuppeteer(browser, visit, async () => {
      const page = await browser.newPage()
      const cursor = createCursor(page)
      return {
        goto: (url) => page.goto(url),
        click: (selector) => cursor.click(selector),
        async type(selector, text) {
          await cursor.click(selector)
          await page.keyboard.type(text)
        },
      }
    })
  },
}
