import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { ON_SLOW_CPU, withSlowCpu } from '../src/drive/slow-cpu.ts'
export const chromiumSlowCpu: Configuration = {
  id: 'chromium-slow-cpu',
  title: 'Chromium on a busy processor',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => withSlowCpu(() => visitInChromium(visit, { through: ON_SLOW_CPU })),
}
