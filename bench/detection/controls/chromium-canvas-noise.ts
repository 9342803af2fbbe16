import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumCanvasNoise: Configuration = {
  id: 'chromium-canvas-noise',
  title: 'Chromium with an extension that adds noise to drawings',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: extensionArgs('canvas-noise') }),
}
