import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumNoWindowManager: Configuration = {
  id: 'chromium-no-window-manager',
  title: 'Chromium, no window manager',
  kind: 'control',
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit),
}
