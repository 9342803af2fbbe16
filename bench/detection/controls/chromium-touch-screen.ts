import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumTouchScreen: Configuration = {
  id: 'chromium-touch-screen',
  title: 'Chromium on a machine with a touch screen',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--touch-events=enabled', '--touch-devices=9'] }),
}
