import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumOldProfile: Configuration = {
  id: 'chromium-old-profile',
  title: 'Chromium that has visited the page before',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const { final } = visit
    await visitInChromium(
      { ...visit, measured: visit.started, final: async () => {} },
      { startPage: visit.startUrl, fillIn: async () => {} },
    )
    await visitInChromium({ ...visit, final })
  },
}
