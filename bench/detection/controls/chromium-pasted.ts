import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { copyAndPaste, fillInByHand } from '../src/drive/desktop-input.ts'

export const chromiumPasted: Configuration = {
  id: 'chromium-pasted',
  title: 'Chromium, texts copied and pasted',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      async fillIn() {
        await fillInByHand(visit, { type: copyAndPaste })
      },
    }),
}
