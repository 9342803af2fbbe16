import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxStrict: Configuration = {
  id: 'firefox-strict',
  title: 'Firefox with strict tracking protection',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      prefs: {
        'browser.contentblocking.category': 'strict',
        'privacy.trackingprotection.enabled': true,
        'privacy.fingerprintingProtection': true,
        'network.cookie.cookieBehavior': 5,
      },
    }),
}
