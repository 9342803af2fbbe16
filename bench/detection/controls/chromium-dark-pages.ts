import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumDarkPages: Configuration = {
  id: 'chromium-dark-pages',
  title: 'Chromium with an extension that makes pages dark',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: extensionArgs('dark-pages') }),
}
