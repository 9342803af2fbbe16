import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxCoarseClock: Configuration = {
  id: 'firefox-coarse-clock',
  title: 'Firefox with a clock of steps of 100 ms',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      prefs: { 'privacy.resistFingerprinting.reduceTimerPrecision.microseconds': 100_000 },
    }),
}
