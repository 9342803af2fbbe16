import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxNoWindowManager: Configuration = {
  id: 'firefox-no-window-manager',
  title: 'Firefox, no window manager',
  kind: 'control',
  engine: 'firefox',
  display: 'bare',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit),
}
