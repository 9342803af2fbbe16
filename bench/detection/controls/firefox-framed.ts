import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxFramed: Configuration = {
  id: 'firefox-framed',
  title: 'Firefox, page in a frame that begins between two pixels',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit, { startPage: visit.framedUrl }),
}
