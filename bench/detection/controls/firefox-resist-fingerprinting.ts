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
      // It hides the pointer's position on the screen, which the mouse needs for aiming.
      fillIn: fillInByKeyboard,
    }),
}
