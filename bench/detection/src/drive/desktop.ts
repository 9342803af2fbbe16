import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { browserPath, CHROMIUM_ARGS, writeChromiumPrefs, writeFirefoxPrefs } from '../browsers.ts'
import type { Visit } from '../visit.ts'
import { fillInByHand } from './desktop-input.ts'

export interface DesktopOptions {
  args?: readonly string[]
  /** Settings of the profile: the `Preferences` tree of Chromium, or the named preferences of Firefox. */
  prefs?: Record<string, string | number | boolean | object>
  /** Opens a page other than the form, from which `begin` navigates to it; null where the arguments name the page. */
  startPage?: string | null
  /** Command that starts the program, such as `nice`. */
  through?: readonly string[]
  /** Keyboard and mouse input before the measurement. */
  begin?(): Promise<void>
  /** Fills in the form; by default with the mouse and the keyboard. */
  fillIn?(): Promise<void>
}

/** A Chromium like a person's: its own window, a new profile, and no debugging port or pipe. */
export async function visitInChromium(visit: Visit, options: DesktopOptions = {}): Promise<void> {
  await writeChromiumPrefs(visit.profile, options.prefs ?? {})
  await visitByHand(visit, options, [
    browserPath('chromium'),
    ...CHROMIUM_ARGS,
    `--user-data-dir=${visit.profile}`,
  ])
}

/** The same with Firefox. */
export async function visitInFirefox(visit: Visit, options: DesktopOptions = {}): Promise<void> {
  await writeFirefoxPrefs(visit.profile, options.prefs as Record<string, string | number | boolean>)
  await visitByHand(visit, options, [browserPath('firefox'), '--new-instance', '--profile', visit.profile])
}

async function visitByHand(
  visit: Visit,
  { args = [], startPage = visit.url, through = [], begin, fillIn }: DesktopOptions,
  command: readonly string[],
): Promise<void> {
  const [program = '', ...rest] = [
    ...through,
    ...command,
    ...args,
    ...(startPage === null ? [] : [startPage]),
  ]
  const browser = spawn(program, rest, { stdio: 'ignore' })
  await begin?.()
  await visit.measured()
  await (fillIn ?? (() => fillInByHand(visit)))()
  await visit.final()
  await end(browser)
}

async function end(browser: ChildProcess): Promise<void> {
  const exited = once(browser, 'exit')
  browser.kill()
  await exited
}
