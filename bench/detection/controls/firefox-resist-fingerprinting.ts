import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { fillInByKeyboard } from '../src/drive/desktop-input.ts'

export const firefoxResistFingerprinting: Configuration = {
  id: 'firefox-resist-fingerprinting',
  title: 'Firefox resisting fingerprinting',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      prefs: { 'privacy.resistFingerprinting': true },
      // It hides where the pointer is on the screen, by which the mouse is aimed.
      fillIn: fillInByKeyboard,
    }),
}
