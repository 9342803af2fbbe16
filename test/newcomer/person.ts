import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onPath } from '../../scripts/install-step.ts'
import { chromiumPath } from '../find-browser.ts'

/**
 * A person at a screen: an ordinary Chromium without automation, and a keyboard of the X server. The page
 * finds no trace of automation.
 */

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
]
const READY_LIMIT_MS = 20_000
const WINDOW_LIMIT_MS = 60_000
const POLL_MS = 200
/** How long a key may take to have an effect. */
const NOTICE_MS = 5_000

/** Why this machine cannot run the browser on a screen, or undefined. */
export function whyNoPerson(): string | undefined {
  const missing = ['Xvfb', 'xdotool'].filter((program) => !onPath(program))
  if (!chromiumPath()) missing.push('chromium')
  return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined
}

export interface Person {
  /** Waits until the window shows a page with the title, and focuses it. */
  see(title: string): Promise<void>
  press(key: string): Promise<void>
  /** Presses the key until it has an effect, because a new window may miss a key. */
  pressUntil(key: string, noticed: () => Promise<boolean>): Promise<void>
  type(text: string): Promise<void>
  leave(): Promise<void>
}

/** Opens the address in a browser with a new profile in the folder. */
export async function openAsPerson(url: string, profile: string): Promise<Person> {
  const screen = ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp', '-noreset']
  const xvfb = spawn('Xvfb', screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const [number] = (await once(xvfb.stdio[3] as Readable, 'data', {
    signal: AbortSignal.timeout(READY_LIMIT_MS),
  })) as [Buffer]
  const env = { ...process.env, DISPLAY: `:${number.toString().trim()}` }
  const args = [...CHROMIUM_ARGS, `--user-data-dir=${profile}`, url]
  const browser = spawn(chromiumPath() ?? '', args, { env, stdio: 'ignore' })
  const xdotool = (...command: string[]) =>
    promisify(execFile)('xdotool', command, { env, timeout: WINDOW_LIMIT_MS })

  return {
    async see(title) {
      // xdotool fails if a window closes during the search.
      const seen = () =>
        xdotool('search', '--onlyvisible', '--name', `^${title}`, 'windowfocus').then(
          () => true,
          () => false,
        )
      if (!(await within(WINDOW_LIMIT_MS, seen)))
        throw new Error(`no page with the title ${title} within ${WINDOW_LIMIT_MS} ms`)
    },
    async press(key) {
      await xdotool('key', key)
    },
    async pressUntil(key, noticed) {
      const deadline = Date.now() + WINDOW_LIMIT_MS
      do {
        if (Date.now() > deadline) throw new Error(`nothing came of ${key} within ${WINDOW_LIMIT_MS} ms`)
        await xdotool('key', key)
      } while (!(await within(NOTICE_MS, noticed)))
    },
    async type(text) {
      await xdotool('type', '--delay', '120', text)
    },
    async leave() {
      await end(browser)
      await end(xvfb)
    },
  }
}

/** Polls a condition. Returns whether it became true in time. */
async function within(limitMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exited = once(process, 'exit')
  process.kill()
  await exited
}
