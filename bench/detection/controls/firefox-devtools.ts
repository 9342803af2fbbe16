import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxDevtools: Configuration = {
  id: 'firefox-devtools',
  title: 'Firefox, DevTools open from the start',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit, { args: ['--devtools'] }),
}
