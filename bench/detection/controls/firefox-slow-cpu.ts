import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { ON_SLOW_CPU, withSlowCpu } from '../src/drive/slow-cpu.ts'
export const firefoxSlowCpu: Configuration = {
  id: 'firefox-slow-cpu',
  title: 'Firefox on a busy processor',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => withSlowCpu(() => visitInFirefox(visit, { through: ON_SLOW_CPU })),
}
