import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumDevtoolsPhone: Configuration = {
  id: 'chromium-devtools-phone',
  title: 'Chromium, a phone emulated by a person in DevTools',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: false,
  run: (visit) =>
    visitInChromium(visit, {
      args: ['--auto-open-devtools-for-tabs', '--window-size=1600,950'],
      prefs: { devtools: { preferences: { 'emulation.show-device-mode': 'true' } } },
      startPage: visit.inspectedUrl,
      // Touch is emulated too, so a mouse aims at nothing.
      fillIn: async () => {},
    }),
}
