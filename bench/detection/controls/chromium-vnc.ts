import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByVnc, withVnc } from '../src/drive/vnc.ts'

export const chromiumVnc: Configuration = {
  id: 'chromium-vnc',
  title: 'Chromium on a remote desktop over VNC',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { fillIn: () => withVnc(() => fillInByVnc(visit)) }),
}
