import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../src/configuration.ts'
import { middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'

const STEPS = 24
const HOLD_MS = 85
/** Of a pressed mouse without a sensor. */
const FORCE = 0.5

export const socketCareful: Configuration = {
  id: 'socket-careful',
  title: 'Raw CDP on a desktop that knows what is looked at: pressure, whole pixels, complete keys, pauses',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause:
    'it gives its clicks a pressure and rounds positions, and is left with the clock of the browser, which is no verdict alone',
  async run(visit) {
    const page = await openRawCdp(visit.profile, [])
    const mouse = (type: string, more: object) => page.call('Input.dispatchMouseEvent', { type, ...more })
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    let from = { x: 600, y: 300 }
    const moveAndClick = async (selector: string) => {
      const middle = await middleOf(page, selector)
      const to = { x: Math.round(middle.x) + 7, y: Math.round(middle.y) + 3 }
      for (let step = 1; step <= STEPS; step++) {
        const share = step / STEPS
        const x = Math.round(from.x + (to.x - from.x) * share)
        const y = Math.round(from.y + (to.y - from.y) * share ** 1.4)
        await mouse('mouseMoved', { x, y })
        await pause(8 + Math.random() * 12)
      }
      const button = { ...to, button: 'left', clickCount: 1, force: FORCE }
      await mouse('mousePressed', button)
      await pause(HOLD_MS)
      await mouse('mouseReleased', button)
      from = to
    }
    await moveAndClick('#name')
    for (const key of 'ada') {
      const event = {
        key,
        code: `Key${key.toUpperCase()}`,
        windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
      }
      await page.call('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...event })
      await pause(HOLD_MS)
      await page.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
      await pause(100 + 80 * Math.random())
    }
    await moveAndClick('#join')
    await visit.final()
    await page.close()
  },
}
