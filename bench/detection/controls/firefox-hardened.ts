import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxHardened: Configuration = {
  id: 'firefox-hardened',
  title: 'Firefox without WebGL, WebRTC, service workers and clipboard events',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      prefs: {
        'webgl.disabled': true,
        'media.peerconnection.enabled': false,
        'dom.serviceWorkers.enabled': false,
        'dom.event.clipboardevents.enabled': false,
        'privacy.firstparty.isolate': true,
        'geo.enabled': false,
      },
    }),
}
