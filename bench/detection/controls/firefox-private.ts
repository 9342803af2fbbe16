import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxPrivate: Configuration = {
  id: 'firefox-private',
  title: 'Firefox, private window',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: true,
  acts: true,
  run: (visit) => visitInFirefox(visit, { args: ['--private-window'] }),
}
