import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { HEADFUL_USER_AGENT, MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const claimsPuppeteer: Configuration = {
  id: 'claims-puppeteer',
  title: 'Puppeteer headless, with agent, hints, window, pointer and languages of a desktop',
  kind: 'automation',
  family: 'claims',
  engine: 'chromium',
  packages: ['puppeteer-core'],
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      args: [
        ...CHROMIUM_ARGS,
        UNMARKED_ARG,
        `--user-agent=${HEADFUL_USER_AGENT}`,
        '--screen-info={1920x1080}',
        '--window-size=1440,900',
        '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
      ],
      ignoreDefaultArgs: [MARKING_ARG, '--hide-scrollbars'],
      defaultViewport: null,
    })
    await drivePuppeteer(browser, visit)
  },
}
