import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand, xdotool } from '../src/drive/desktop-input.ts'

export const chromiumTextExpander: Configuration = {
  id: 'chromium-text-expander',
  title: 'Chromium, texts typed by an expander',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      async fillIn() {
        await fillInByHand(visit, {
          type: async (text) => void (await xdotool('type', '--delay', '2', text)),
        })
      },
    }),
}
