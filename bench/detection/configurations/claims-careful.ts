import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../src/configuration.ts'
import { middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'
import { HEADFUL_USER_AGENT } from '../src/unmarked.ts'

export const claimsCareful: Configuration = {
  id: 'claims-careful',
  title: 'Headless over raw CDP, with every claim and with pressure, keys and pauses of a person',
  kind: 'automation',
  family: 'claims',
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const page = await openRawCdp(visit.profile, [
      '--headless=new',
      `--user-agent=${HEADFUL_USER_AGENT}`,
      '--screen-info={1920x1080}',
      '--window-size=1440,900',
      '--window-position=80,40',
    ])
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    for (const selector of ['#name', '#join']) {
      const middle = await middleOf(page, selector)
      const at = { x: Math.round(middle.x + 20), y: Math.round(middle.y + 3) }
      await page.call('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
      const button = { ...at, button: 'left', clickCount: 1, force: 0.5 }
      await page.call('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
      await pause(85)
      await page.call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
      if (selector === '#name')
        for (const key of 'ada') {
          const event = {
            key,
            code: `Key${key.toUpperCase()}`,
            windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
          }
          await page.call('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...event })
          await pause(70)
          await page.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
          await pause(120)
        }
    }
    await visit.final()
    await page.close()
  },
}
