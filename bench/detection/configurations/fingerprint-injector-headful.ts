import { newInjectedPage } from 'fingerprint-injector'
import { launch } from 'puppeteer-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'
import { FINGERPRINT_OPTIONS } from '../src/fingerprint-options.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const fingerprintInjectorHeadful: Configuration = {
  id: 'fingerprint-injector-headful',
  title: 'fingerprint-injector on Puppeteer headful',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['puppeteer-core', 'fingerprint-injector', 'fingerprint-generator'],
  display: 'bare',
  spoofs: true,
  isPrivate: false,
  acts: true,
  async run(visit) {
    const browser = await launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: false,
    })
    await drivePuppeteer(browser, visit, () =>
      newInjectedPage(browser, { fingerprintOptions: FINGERPRINT_OPTIONS }),
    )
  },
}
