import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumNoGpu: Configuration = {
  id: 'chromium-no-gpu',
  title: 'Chromium without a GPU and without WebGL',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: ['--disable-gpu', '--disable-3d-apis'] }),
}
