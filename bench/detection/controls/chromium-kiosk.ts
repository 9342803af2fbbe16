import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumKiosk: Configuration = {
  id: 'chromium-kiosk',
  title: 'Chromium, kiosk',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--kiosk'] }),
}
