import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByKeyboard } from '../src/drive/desktop-input.ts'
export const chromiumKeyboardOnly: Configuration = {
  id: 'chromium-keyboard-only',
  title: 'Chromium, keyboard only',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { fillIn: fillInByKeyboard }),
}
