import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

/** Chromium counts zoom in powers of 1.2. */
const ZOOM_125 = Math.log(1.25) / Math.log(1.2)

export const chromiumZoomed: Configuration = {
  id: 'chromium-zoomed',
  title: 'Chromium, pages zoomed to 125 %',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { prefs: { partition: { default_zoom_level: { x: ZOOM_125 } } } }),
}
