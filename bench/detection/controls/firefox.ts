import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefox: Configuration = {
  id: 'firefox',
  title: 'Firefox',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit),
}
