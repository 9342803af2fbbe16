import { chromium } from 'patchright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const patchrightRecommended: Configuration = {
  id: 'patchright-recommended',
  title: 'patchright as its manual recommends: own profile, no viewport; on a desktop',
  kind: 'automation',
  family: 'patched',
  engine: 'chromium',
  packages: ['patchright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause:
    'nothing reads its console, and hasty keys, positions between pixels and the clock of the browser are no verdict, because assistive technology and pointers that nobody measured have them',
  async run(visit) {
    const context = await chromium.launchPersistentContext(visit.profile, {
      executablePath: browserPath('chromium'),
      args: CHROMIUM_ARGS,
      headless: false,
      viewport: null,
    })
    await drivePlaywright(context, visit, () => context.newPage())
  },
}
