import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromium: Configuration = {
  id: 'chromium',
  title: 'Chromium',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit),
}
