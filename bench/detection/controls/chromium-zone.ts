import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumZone: Configuration = {
  id: 'chromium-zone',
  title: 'Chromium, page with zone.js',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { startPage: `${visit.url}&library=zone` }),
}
