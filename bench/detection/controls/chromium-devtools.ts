import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumDevtools: Configuration = {
  id: 'chromium-devtools',
  title: 'Chromium, DevTools open from the start',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: ['--auto-open-devtools-for-tabs', '--window-size=1600,950'],
      startPage: visit.inspectedUrl,
    }),
}
