import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumGuest: Configuration = {
  id: 'chromium-guest',
  title: 'Chromium, window of a guest',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: true,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--guest'] }),
}
