import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumMonitor: Configuration = {
  id: 'chromium-monitor',
  title: 'Chromium, page with a monitor that records errors, console, requests and input',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { startPage: `${visit.url}&library=monitor` }),
}
