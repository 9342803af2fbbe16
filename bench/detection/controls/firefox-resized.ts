import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { fillInByHand, resizeWindow } from '../src/drive/desktop-input.ts'
export const firefoxResized: Configuration = {
  id: 'firefox-resized',
  title: 'Firefox, small window, resized while open',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      args: ['--width', '700', '--height', '620'],
      async fillIn() {
        await resizeWindow(1240, 820)
        await fillInByHand(visit)
      },
    }),
}
