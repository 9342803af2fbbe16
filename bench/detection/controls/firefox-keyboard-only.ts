import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { fillInByKeyboard } from '../src/drive/desktop-input.ts'
export const firefoxKeyboardOnly: Configuration = {
  id: 'firefox-keyboard-only',
  title: 'Firefox, keyboard only',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInFirefox(visit, { fillIn: fillInByKeyboard }),
}
