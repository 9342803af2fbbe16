import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand, xdotool } from '../src/drive/desktop-input.ts'

export const chromiumDevtoolsWindow: Configuration = {
  id: 'chromium-devtools-window',
  title: 'Chromium, DevTools open in a window of their own',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: ['--auto-open-devtools-for-tabs'],
      prefs: { devtools: { preferences: { currentDockState: '"undocked"' } } },
      startPage: visit.inspectedUrl,
      async fillIn() {
        // The other window covers the page.
        await xdotool('search', '--name', '^Create your account', 'windowactivate', '--sync')
        await fillInByHand(visit)
      },
    }),
}
