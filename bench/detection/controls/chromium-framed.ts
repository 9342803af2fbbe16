import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumFramed: Configuration = {
  id: 'chromium-framed',
  title: 'Chromium, page in a frame that begins between two pixels',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { startPage: visit.framedUrl }),
}
