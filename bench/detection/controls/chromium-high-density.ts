import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumHighDensity: Configuration = {
  id: 'chromium-high-density',
  title: 'Chromium on a screen of double density',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--force-device-scale-factor=2'] }),
}
