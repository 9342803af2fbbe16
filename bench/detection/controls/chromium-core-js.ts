import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumCoreJs: Configuration = {
  id: 'chromium-core-js',
  title: 'Chromium, page with core-js',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { startPage: `${visit.url}&library=core-js` }),
}
