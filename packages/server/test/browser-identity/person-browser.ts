import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  browserPath,
  CHROMIUM_ARGS,
  writeChromiumPrefs,
  writeFirefoxPrefs,
} from '../../../../bench/detection/src/browsers.ts'
import type { BrowserName } from '../../../../test/find-browser.ts'
import { openScreen } from './screen.ts'

const COMMAND_LIMIT_MS = 30_000
/** How long a key may take to have an effect on a busy machine. */
const NOTICE_MS = 4_000
const AGAIN_MS = 250
const POLL_MS = 50
/** Chromium quits when its last window closes. */
const QUIT_KEYS: Record<BrowserName, string> = { chromium: 'ctrl+shift+w', firefox: 'ctrl+q' }

export interface Settings {
  profile: string
  isPrivate?: boolean
  /** Time zone of the machine; the real one by default. */
  timeZone?: string
  /** Accepted languages, the preferred one first. */
  languages: readonly string[]
  /** Firefox's `privacy.resistFingerprinting`. */
  resists?: boolean
  /** Lets the browser see one processor core, so that it is on another machine. */
  isOtherMachine?: boolean
}

/** A browser window on a screen, like a person's, without automation. */
export interface PersonBrowser {
  /** Presses a key until it has an effect, because a new window may miss a key. */
  press(key: string, noticed: () => boolean): Promise<void>
  resize(width: number, height: number, noticed: () => boolean): Promise<void>
  quit(): Promise<void>
  /** Rejects with the reason if the browser or its screen ends unexpectedly. */
  gone: Promise<never>
}

export interface Start {
  name: BrowserName
  url: string
  /** Start of every page's title, by which the window is found. */
  title: string
  settings: Settings
}

/**
 * Starts a browser with the profile, created if missing, and opens the URL. Every browser has its own screen, because
 * a key that is down when one browser ends would still be down in the next.
 */
export async function startAsPerson({ name, url, title, settings }: Start): Promise<PersonBrowser> {
  const screen = await openScreen()
  const { args, env } = await (name === 'chromium' ? prepareChromium : prepareFirefox)(settings)
  const timeZone = settings.timeZone === undefined ? {} : { TZ: settings.timeZone }
  // Firefox titles contain a dash, which xdotool reads only in a UTF-8 locale.
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', DISPLAY: screen.name, ...timeZone, ...env }
  const [command = '', ...rest] = [
    ...(settings.isOtherMachine ? ['taskset', '-c', '0'] : []),
    browserPath(name),
    ...args,
    url,
  ]
  const browser = spawn(command, rest, { env: environment, stdio: 'ignore' })
  const killBrowser = (): void => void browser.kill('SIGKILL')
  process.once('exit', killBrowser)

  // xdotool fails if a window opens or closes during the search.
  const inWindow = (...command: string[]): Promise<boolean> =>
    promisify(execFile)('xdotool', ['search', '--onlyvisible', '--name', `^${title}`, ...command], {
      env: environment,
      timeout: COMMAND_LIMIT_MS,
    }).then(
      () => true,
      () => false,
    )
  async function until(noticed: () => boolean, ...command: string[]): Promise<void> {
    const deadline = Date.now() + COMMAND_LIMIT_MS
    for (;;) {
      const done = await inWindow(...command)
      if (await within(done ? NOTICE_MS : AGAIN_MS, noticed)) return
      if (Date.now() > deadline) throw new Error(`nothing came of ${command.join(' ')} in ${name}`)
    }
  }
  const hasEnded = (): boolean => browser.exitCode !== null || browser.signalCode !== null
  let quitting = false
  const gone = once(browser, 'exit').then(([code, signal]): Promise<never> => {
    if (quitting) return new Promise(() => {})
    throw new Error(`${name} ended with ${code ?? signal}; ${screen.whyGone() ?? 'its screen is there'}`)
  })
  // May have no listener, which must not be an unhandled rejection.
  gone.catch(() => {})
  return {
    gone,
    press: (key, noticed) => until(noticed, 'windowfocus', '--sync', 'key', key),
    resize: (width, height, noticed) => until(noticed, 'windowsize', String(width), String(height)),
    async quit() {
      quitting = true
      process.off('exit', killBrowser)
      // A killed browser loses its newest cookies.
      await until(hasEnded, 'windowfocus', '--sync', 'key', QUIT_KEYS[name]).finally(() => {
        killBrowser()
        return screen.close()
      })
    },
  }
}

/** Polls a condition. Returns whether it became true in time. */
async function within(limitMs: number, isSo: () => boolean): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (!isSo()) {
    if (Date.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

interface Prepared {
  args: string[]
  env: Record<string, string>
}

async function prepareChromium({ profile, isPrivate, languages }: Settings): Promise<Prepared> {
  const args = [...CHROMIUM_ARGS, `--user-data-dir=${profile}`, ...(isPrivate ? ['--incognito'] : [])]
  const [language = ''] = languages
  const before = await readFile(join(profile, 'Default', 'Preferences'), 'utf8').catch(() => '{}')
  const list = languages.join(',')
  const intl = { accept_languages: list, selected_languages: list }
  await writeChromiumPrefs(profile, { ...JSON.parse(before), intl })
  return { args: [...args, `--lang=${language}`], env: { LANGUAGE: language } }
}

async function prepareFirefox({ profile, isPrivate, languages, resists }: Settings): Promise<Prepared> {
  await writeFirefoxPrefs(profile, {
    'browser.warnOnQuit': false,
    'browser.warnOnQuitShortcut': false,
    'intl.accept_languages': languages.join(', '),
    ...(resists && { 'privacy.resistFingerprinting': true }),
  })
  return { args: ['--profile', profile, ...(isPrivate ? ['--private-window'] : [])], env: {} }
}
