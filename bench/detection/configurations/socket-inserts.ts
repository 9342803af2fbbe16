import type { Configuration } from '../src/configuration.ts'
import { clickAt, middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'

export const socketInserts: Configuration = {
  id: 'socket-inserts',
  title: 'Raw CDP on a desktop: clicks without a movement, text by `Input.insertText`',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const page = await openRawCdp(visit.profile, [])
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    for (const [selector, text] of [
      ['#name', 'Ada Lovelace'],
      ['#email', 'ada@example.org'],
    ] as const) {
      await clickAt(page, await middleOf(page, selector))
      await page.call('Input.insertText', { text })
    }
    await clickAt(page, await middleOf(page, '#join'))
    await visit.final()
    await page.close()
  },
}
