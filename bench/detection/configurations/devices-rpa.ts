import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { moveTo, onScreen, xdotool } from '../src/drive/desktop-input.ts'

/** What a recorded step leaves the page to answer. */
const STEP_MS = 150

export const devicesRpa: Configuration = {
  id: 'devices-rpa',
  title: 'RPA by the devices of the display: jumps, clicks and types at once',
  kind: 'automation',
  family: 'devices',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause:
    'its input comes from devices, as that of assistive technology does, from which it cannot be told',
  run: (visit) =>
    visitInChromium(visit, {
      async fillIn() {
        const { name, email, join } = await onScreen(visit)
        for (const [at, text] of [
          [name, 'Ada Lovelace'],
          [email, 'ada@example.org'],
        ] as const) {
          await xdotool('mousemove', String(Math.round(at.x)), String(Math.round(at.y)), 'click', '1')
          await pause(STEP_MS)
          await xdotool('type', '--delay', '4', text)
        }
        await moveTo(join)
        await xdotool('click', '1')
      },
    }),
}
