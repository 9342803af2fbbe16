import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand, tapHere } from '../src/drive/desktop-input.ts'

export const chromiumTaps: Configuration = {
  id: 'chromium-taps',
  title: 'Chromium, taps on a trackpad: presses that take no time',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { fillIn: () => fillInByHand(visit, { click: tapHere }) }),
}
