import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, firefox } from 'playwright-core'

/** Finds the browsers of the tests. Imports no test runner, so that scripts can use it. */

const PROGRAMS = {
  chromium: ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'],
  firefox: ['firefox-esr', 'firefox'],
} as const

export type BrowserName = keyof typeof PROGRAMS
export const BROWSER_NAMES: readonly BrowserName[] = ['chromium', 'firefox']

const variableOf = (name: BrowserName): string => `${name.toUpperCase()}_PATH`

/** The path of Playwright's own build, which may not be downloaded. */
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

/** The program to run, or undefined. A path in CHROMIUM_PATH or FIREFOX_PATH replaces the search. */
export function findBrowser(name: BrowserName): string | undefined {
  const path = process.env[variableOf(name)]
  if (path) return isProgram(path) ? path : undefined

  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')]
  const installed = PROGRAMS[name].flatMap((program) => folders.map((folder) => join(folder, program)))
  return [...installed, playwrightPath(name)].find(isProgram)
}

export const chromiumPath = (): string | undefined => findBrowser('chromium')
export const firefoxPath = (): string | undefined => findBrowser('firefox')

/** Why a browser is missing, for the name of a skipped test. */
export function whyMissing(name: BrowserName): string {
  const path = process.env[variableOf(name)]
  if (path) return `${variableOf(name)} is ${path}, which is not a program`
  return `none of ${PROGRAMS[name].join(', ')} is installed, nor Playwright's own; set ${variableOf(name)}`
}
