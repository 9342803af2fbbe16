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
/** How long something may take to come of a key, on a busy machine. */
const NOTICE_MS = 4_000
const AGAIN_MS = 250
const POLL_MS = 50
/** The last window's end is Chromium's. */
const QUIT_KEYS: Record<BrowserName, string> = { chromium: 'ctrl+shift+w', firefox: 'ctrl+q' }

export interface Settings {
  profile: string
  isPrivate?: boolean
  /** Of the machine; without it, its own. */
  timeZone?: string
  /** Languages that pages are asked for in, the dearest first. */
  languages: readonly string[]
  /** Firefox's own protection from being recognised. */
  resists?: boolean
}

/** A browser at a screen as a person has it: a window of its own, and nothing connected that drives it. */
export interface PersonBrowser {
  /** Presses it, and again while nothing comes of it: a window that has just opened may lose one. */
  press(key: string, noticed: () => boolean): Promise<void>
  resize(width: number, height: number, noticed: () => boolean): Promise<void>
  quit(): Promise<void>
  /** Rejects, with the reason, when the browser or its screen ends without having been asked to. */
  gone: Promise<never>
}

export interface Start {
  name: BrowserName
  url: string
  /** What the title of every page begins with, by which its window is found. */
  title: string
  settings: Settings
}

/**
 * Starts it with that profile, which is made when there is none, and opens the address. The screen is its own:
 * a key that was held as the last browser ended would be held in the next one.
 */
export async function startAsPerson({ name, url, title, settings }: Start): Promise<PersonBrowser> {
  const screen = await openScreen()
  const { args, env } = await (name === 'chromium' ? prepareChromium : prepareFirefox)(settings)
  const timeZone = settings.timeZone === undefined ? {} : { TZ: settings.timeZone }
  // Firefox has a dash in its titles, which xdotool reads in a locale of UTF-8 alone.
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', DISPLAY: screen.name, ...timeZone, ...env }
  const browser = spawn(browserPath(name), [...args, url], { env: environment, stdio: 'ignore' })
  const killBrowser = (): void => void browser.kill('SIGKILL')
  process.once('exit', killBrowser)

  // xdotool stumbles over windows that open or close while it looks.
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
  // Told to whoever waits for a visit; nobody may.
  gone.catch(() => {})
  return {
    gone,
    press: (key, noticed) => until(noticed, 'windowfocus', '--sync', 'key', key),
    resize: (width, height, noticed) => until(noticed, 'windowsize', String(width), String(height)),
    async quit() {
      quitting = true
      process.off('exit', killBrowser)
      // A browser that is ended from outside forgets its newest cookies.
      await until(hasEnded, 'windowfocus', '--sync', 'key', QUIT_KEYS[name]).finally(() => {
        killBrowser()
        return screen.close()
      })
    },
  }
}

/** Whether it became true in that time. */
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
