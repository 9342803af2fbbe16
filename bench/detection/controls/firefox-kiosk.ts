import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxKiosk: Configuration = {
  id: 'firefox-kiosk',
  title: 'Firefox, kiosk',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit, { args: ['--kiosk'] }),
}
