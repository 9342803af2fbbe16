import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../src/configuration.ts'
import { openRawCdp } from '../src/drive/raw-cdp.ts'

export const socketKeyboard: Configuration = {
  id: 'socket-keyboard',
  title: 'Raw CDP on a desktop: keys alone, with pauses, from field to field by Tab',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause:
    'its keys are complete and take their time, and what clock keys have was not measured on both sides',
  async run(visit) {
    const page = await openRawCdp(visit.profile, [])
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    const press = async (event: {
      key: string
      code: string
      windowsVirtualKeyCode: number
      text?: string
    }) => {
      await page.call('Input.dispatchKeyEvent', { type: event.text ? 'keyDown' : 'rawKeyDown', ...event })
      await pause(60 + 40 * Math.random())
      await page.call('Input.dispatchKeyEvent', { ...event, type: 'keyUp', text: undefined })
      await pause(90 + 90 * Math.random())
    }
    const type = async (text: string) => {
      for (const key of text) {
        const windowsVirtualKeyCode = key.toUpperCase().charCodeAt(0)
        await press({ key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode, text: key })
      }
    }
    const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
    await press(tab)
    await type('ada')
    await press(tab)
    await type('adahome')
    await press({ key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' })
    await visit.final()
    await page.close()
  },
}
