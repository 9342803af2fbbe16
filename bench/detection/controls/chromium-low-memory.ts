import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumLowMemory: Configuration = {
  id: 'chromium-low-memory',
  title: 'Chromium on a machine with little memory',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: [
        '--enable-low-end-device-mode',
        '--js-flags=--max-old-space-size=256',
        '--renderer-process-limit=1',
      ],
    }),
}
