import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxHighDensity: Configuration = {
  id: 'firefox-high-density',
  title: 'Firefox on a screen of double density',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit, { prefs: { 'layout.css.devPixelsPerPx': '2' } }),
}
