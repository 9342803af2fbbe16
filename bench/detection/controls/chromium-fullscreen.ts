import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumFullscreen: Configuration = {
  id: 'chromium-fullscreen',
  title: 'Chromium, full screen',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--start-fullscreen'] }),
}
