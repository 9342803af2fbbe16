import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand, resizeWindow } from '../src/drive/desktop-input.ts'
export const chromiumResized: Configuration = {
  id: 'chromium-resized',
  title: 'Chromium, small window, resized while open',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: ['--window-size=700,620'],
      async fillIn() {
        await resizeWindow(1240, 820)
        await fillInByHand(visit)
      },
    }),
}
