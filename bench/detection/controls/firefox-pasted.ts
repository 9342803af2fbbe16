import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { copyAndPaste, fillInByHand } from '../src/drive/desktop-input.ts'

export const firefoxPasted: Configuration = {
  id: 'firefox-pasted',
  title: 'Firefox, texts copied and pasted',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      async fillIn() {
        await fillInByHand(visit, { type: copyAndPaste })
      },
    }),
}
