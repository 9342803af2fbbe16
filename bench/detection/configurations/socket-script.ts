import type { Configuration } from '../src/configuration.ts'
import { openRawCdp } from '../src/drive/raw-cdp.ts'

export const socketScript: Configuration = {
  id: 'socket-script',
  title: 'Raw CDP on a desktop: a script of the page sets the fields and clicks',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause: 'its events come from a script, as those of form fillers do',
  async run(visit) {
    const page = await openRawCdp(visit.profile, [])
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    await page.call('Runtime.evaluate', {
      userGesture: true,
      expression: `for (const [id, text] of [['name', 'Ada Lovelace'], ['email', 'ada@example.org']]) {
        const field = document.getElementById(id)
        field.value = text
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
      }
      document.getElementById('join').click()`,
    })
    await visit.final()
    await page.close()
  },
}
