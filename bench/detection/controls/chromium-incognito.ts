import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumIncognito: Configuration = {
  id: 'chromium-incognito',
  title: 'Chromium, incognito window',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: true,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--incognito'] }),
}
