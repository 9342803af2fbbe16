import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, firefox } from 'playwright-core'

/** Where the browsers of the tests are. Knows nothing of a test runner, so that scripts can ask too. */

const PROGRAMS = {
  chromium: ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'],
  firefox: ['firefox-esr', 'firefox'],
} as const

export type BrowserName = keyof typeof PROGRAMS
export const BROWSER_NAMES: readonly BrowserName[] = ['chromium', 'firefox']

const variableOf = (name: BrowserName): string => `${name.toUpperCase()}_PATH`

/** Playwright's own build, whether or not it was downloaded. */
export const playwrightPath = (name: BrowserName): string =>
  (name === 'chromium' ? chromium : firefox).executablePath()

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program to run, or undefined. A path in CHROMIUM_PATH or FIREFOX_PATH is the only one looked at. */
export function findBrowser(name: BrowserName): string | undefined {
  const wanted = process.env[variableOf(name)]
  if (wanted) return isProgram(wanted) ? wanted : undefined

  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')]
  const installed = PROGRAMS[name].flatMap((program) => folders.map((folder) => join(folder, program)))
  return [...installed, playwrightPath(name)].find(isProgram)
}

export const chromiumPath = (): string | undefined => findBrowser('chromium')
export const firefoxPath = (): string | undefined => findBrowser('firefox')

/** Why there is no such browser, for the name of a skipped test. */
export function whyMissing(name: BrowserName): string {
  const wanted = process.env[variableOf(name)]
  if (wanted) return `${variableOf(name)} is ${wanted}, which is not a program`
  return `none of ${PROGRAMS[name].join(', ')} is installed, nor Playwright's own; set ${variableOf(name)}`
}
