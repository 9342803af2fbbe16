import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumWebrtcBlocked: Configuration = {
  id: 'chromium-webrtc-blocked',
  title: 'Chromium with an extension that takes WebRTC away',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: extensionArgs('webrtc-blocker') }),
}
