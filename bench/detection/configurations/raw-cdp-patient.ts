import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../src/configuration.ts'
import { clickAt, middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'

const STEPS = 30
const HOLD_MS = 85
const KEY_GAP_MS = 110

export const rawCdpPatient: Configuration = {
  id: 'raw-cdp-patient',
  title: 'Raw CDP without Runtime.enable, on a desktop, with the timing of a person',
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
    let from = { x: 600, y: 300 }
    const moveAndClick = async (selector: string) => {
      const to = await middleOf(page, selector)
      for (let step = 1; step <= STEPS; step++) {
        const share = step / STEPS
        const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share ** 1.4 }
        await page.call('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
        await pause(8 + Math.random() * 12)
      }
      await clickAt(page, to, HOLD_MS)
      from = to
    }
    await moveAndClick('#name')
    for (const text of 'Ada Lovelace') {
      await page.call('Input.dispatchKeyEvent', { type: 'keyDown', text, key: text })
      await pause(HOLD_MS * Math.random())
      await page.call('Input.dispatchKeyEvent', { type: 'keyUp', key: text })
      await pause(KEY_GAP_MS * (0.5 + Math.random()))
    }
    await moveAndClick('#join')
    await visit.final()
    await page.close()
  },
}
