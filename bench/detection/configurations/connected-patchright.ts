import { chromium } from 'patchright-core'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { drivePlaywright } from '../src/drive/playwright.ts'

export const connectedPatchright: Configuration = {
  id: 'connected-patchright',
  title: 'patchright, `connectOverCDP` to a browser on a desktop',
  kind: 'automation',
  family: 'connected',
  engine: 'chromium',
  packages: ['patchright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause:
    'nothing reads its console, and hasty keys, positions between pixels and the clock of the browser are no verdict, because assistive technology and pointers that nobody measured have them',
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const browser = await chromium.connectOverCDP(socketUrl)
      const [context] = browser.contexts()
      await drivePlaywright(browser, visit, async () => context?.pages()[0] ?? (await browser.newPage()))
    }),
}
