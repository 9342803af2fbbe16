import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumLockedDown: Configuration = {
  id: 'chromium-locked-down',
  title: 'Chromium without GPU, WebRTC and WebSocket',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: [
        '--disable-gpu',
        '--disable-3d-apis',
        '--disable-features=WebRtc',
        '--disable-blink-features=WebSocket',
      ],
    }),
}
