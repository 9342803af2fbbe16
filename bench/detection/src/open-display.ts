import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Display } from './configuration.ts'

const SCREEN = '1920x1080x24'
const READY_LIMIT_MS = 20_000
const POLL_MS = 50

export interface OpenDisplay {
  /** For DISPLAY. */
  name: string
  close(): Promise<void>
}

/** A virtual screen, new for each run, so that no window or pointer is left from an earlier one. */
export async function openDisplay(kind: Display): Promise<OpenDisplay> {
  // Without `-noreset` the server would reset, and lose its window manager, when its last client leaves.
  const args = ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-noreset']
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const close = async (): Promise<void> => {
    process.off('exit', kill)
    const isRunning = xvfb.exitCode === null && xvfb.signalCode === null
    const exited = isRunning && once(xvfb, 'exit')
    xvfb.kill()
    await exited
  }
  const kill = (): void => void xvfb.kill()
  process.once('exit', kill)
  try {
    const name = await numberOf(xvfb)
    if (kind === 'desktop') await startWindowManager(name)
    return { name, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The first free display number, which Xvfb prints when it listens. */
async function numberOf(xvfb: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(READY_LIMIT_MS)
  const [number] = (await once(xvfb.stdio[3] as Readable, 'data', { signal })) as [Buffer]
  return `:${number.toString('utf8').trim()}`
}

/** It exits with its display, so it needs no cleanup. */
async function startWindowManager(display: string): Promise<void> {
  const env = { ...process.env, DISPLAY: display }
  spawn('openbox', [], { env, stdio: 'ignore' })
  const startedAt = Date.now()
  // A window that opens before it is ready gets no frame and no focus.
  while (!(await isManaged(env))) {
    if (Date.now() - startedAt > READY_LIMIT_MS)
      throw new Error('the window manager did not become ready in time')
    await pause(POLL_MS)
  }
}

const isManaged = (env: NodeJS.ProcessEnv): Promise<boolean> =>
  promisify(execFile)('xdotool', ['get_num_desktops'], { env }).then(
    () => true,
    () => false,
  )
