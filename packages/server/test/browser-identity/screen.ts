import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

const READY_LIMIT_MS = 60_000

export interface Screen {
  /** Value for DISPLAY. */
  name: string
  /** Why the screen ended; undefined while it runs. */
  whyGone(): string | undefined
  close(): Promise<void>
}

/** A virtual screen with the first free number, which the X server prints once it listens. */
export async function openScreen(): Promise<Screen> {
  const args = ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp', '-noreset']
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  let said = ''
  xvfb.stderr?.on('data', (text) => {
    said += text
  })
  const signal = AbortSignal.timeout(READY_LIMIT_MS)
  const [number] = (await once(xvfb.stdio[3] as Readable, 'data', { signal })) as [Buffer]
  const hasEnded = (): boolean => xvfb.exitCode !== null || xvfb.signalCode !== null
  return {
    name: `:${number.toString().trim()}`,
    whyGone: () => (hasEnded() ? `Xvfb ended with ${xvfb.exitCode ?? xvfb.signalCode}: ${said}` : undefined),
    async close() {
      if (hasEnded()) return
      const exited = once(xvfb, 'exit')
      xvfb.kill()
      await exited
    },
  }
}
