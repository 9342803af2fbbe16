import { newInjectedContext } from 'fingerprint-injector'
import { chromium } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'
import { FINGERPRINT_OPTIONS } from '../src/fingerprint-options.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const fingerprintInjectorHeadless: Configuration = {
  id: 'fingerprint-injector-headless',
  title: 'fingerprint-injector on Playwright headless',
  kind: 'automation',
  family: 'patched',
  engine: 'chromium',
  packages: ['playwright-core', 'fingerprint-injector', 'fingerprint-generator'],
  display: 'bare',
  spoofs: true,
  isPrivate: true,
  acts: true,
  async run(visit) {
    const browser = await chromium.launch({
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
    })
    await drivePlaywright(browser, visit, async () => {
      const context = await newInjectedContext(browser, { fingerprintOptions: FINGERPRINT_OPTIONS })
      return context.newPage()
    })
  },
}
