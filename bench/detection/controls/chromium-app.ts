import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumApp: Configuration = {
  id: 'chromium-app',
  title: 'Chromium, page in an app window without bars',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: [`--app=${visit.url}`], startPage: null }),
}
