import { join } from 'node:path'
import { CONTROLS } from '../../detection/controls/index.ts'
import type { Visit } from '../../detection/src/visit.ts'
import type { Case } from '../src/case.ts'

/** Those whose point is what somebody does there, which nobody does here, and those that need another screen. */
const NOT_HERE = ['keyboard-only', 'resized', 'taps', 'form-filler', 'pasted', 'vnc', 'framed']

/** The detection benchmark's controls up to their first input. */
export const WINDOWS: readonly Case[] = CONTROLS.filter(
  ({ id }) => !NOT_HERE.some((end) => id.endsWith(end)),
).map(
  (control): Case => ({
    kind: 'honest',
    family: 'windows and settings',
    id: control.id,
    title: control.title,
    async run(attempt) {
      await attempt.showScreen(control.display)
      Object.assign(process.env, control.env)
      const page = attempt.address()
      const never = new Promise<never>(() => undefined)
      const visit: Visit = {
        url: page.url,
        startUrl: page.startUrl,
        framedUrl: page.url,
        inspectedUrl: new URL(`/inspected?of=${encodeURIComponent(page.url)}`, page.url).href,
        profile: join(attempt.folder, 'profile'),
        started: () => page.note('started'),
        measured: () => never,
        pointer: () => never,
        final: () => never,
      }
      const failed = control.run(visit)
      const { requestId } = await Promise.race([
        page.note<{ requestId: string }>('checked'),
        failed.then(() => never),
      ])
      await attempt.final(requestId)
      return requestId
    },
  }),
)
