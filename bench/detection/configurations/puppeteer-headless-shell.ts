import chromium from '@sparticuz/chromium'
import { launch } from 'puppeteer-core'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { HEADFUL_USER_AGENT, MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const puppeteerHeadlessShell: Configuration = {
  id: 'puppeteer-headless-shell',
  title: 'Puppeteer with the headless shell, flags off, with the user agent of a headful browser',
  kind: 'automation',
  family: 'puppeteer',
  engine: 'chromium',
  packages: ['puppeteer-core', '@sparticuz/chromium'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: await chromium.executablePath(),
      args: [
        '--no-sandbox',
        '--no-zygote',
        '--single-process',
        UNMARKED_ARG,
        `--user-agent=${HEADFUL_USER_AGENT}`,
      ],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: 'shell',
    })
    await drivePuppeteer(browser, visit)
  },
}
