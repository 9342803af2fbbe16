import { once } from 'node:events'
import { freePort } from '../../src/lib/free-port.ts'
import type { Configuration } from '../src/configuration.ts'
import { startDebuggable } from '../src/drive/raw-cdp.ts'

export const chromiumDebugPort: Configuration = {
  id: 'chromium-debug-port',
  title: 'Chromium headless with a debugging port, no client',
  kind: 'automation',
  family: 'socket',
  inMatrix: true,
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: false,
  async run(visit) {
    const browser = startDebuggable(visit.profile, await freePort(), ['--headless=new', visit.url])
    const exited = once(browser, 'exit')
    await visit.final()
    browser.kill()
    await exited
  },
}
