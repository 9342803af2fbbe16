import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumScreenReader: Configuration = {
  id: 'chromium-screen-reader',
  title: 'Chromium with the tree that screen readers are given',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--force-renderer-accessibility'] }),
}
