import type { Configuration } from '../src/configuration.ts'
import { clickAt, middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'

export const rawCdp: Configuration = {
  id: 'raw-cdp',
  title: 'Raw CDP without Runtime.enable, headful',
  kind: 'automation',
  family: 'socket',
  inMatrix: true,
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: true,
  missedBecause:
    'it clicks once and does nothing else, and a press without pressure is no verdict alone; where the click takes no time either, it is one',
  async run(visit) {
    const page = await openRawCdp(visit.profile, [])
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    await clickAt(page, await middleOf(page, '#join'))
    await visit.final()
    await page.close()
  },
}
