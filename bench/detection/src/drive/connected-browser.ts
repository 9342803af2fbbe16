import { once } from 'node:events'
import { freePort } from '../../../src/lib/free-port.ts'
import { debuggingSocket, startDebuggable } from './raw-cdp.ts'

/** Starts an ordinary Chromium with a debugging port, for a library that connects to it. */
export async function withConnectable(
  profile: string,
  args: readonly string[],
  use: (socketUrl: string) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const browser = startDebuggable(profile, port, args)
  const exited = once(browser, 'exit')
  try {
    await use(await debuggingSocket(port))
  } finally {
    browser.kill()
    await exited
  }
}
