import { BROWSER_NAMES, type BrowserName, findBrowser, whyMissing } from '../test/find-browser.ts'
import { installWithApt, step } from './install-step.ts'

/** Gets the browsers of the tests where they are missing. Not getting one is no error: its tests say so. */

const DOWNLOAD_MS = 600_000
const PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr' } as const

export interface BrowserPaths {
  chromium: string | undefined
  firefox: string | undefined
  /** One sentence for each browser that is missing. */
  missing: Partial<Record<BrowserName, string>>
}

const missingNames = (): BrowserName[] => BROWSER_NAMES.filter((name) => findBrowser(name) === undefined)

async function installBrowsers(): Promise<void> {
  const packages = missingNames().map((name) => PACKAGES[name])
  // A display and a keyboard, for the browser that nobody drives.
  await installWithApt([...packages, 'fonts-liberation', 'xvfb', 'xdotool'])
  // One unknown package makes apt install none: Ubuntu has no firefox-esr, and its chromium is a snap.
  for (const name of missingNames()) if (packages.length > 1) await installWithApt([PACKAGES[name]])
}

/** Makes sure that there is a Chromium and a Firefox to test in, as far as this machine allows. */
export async function ensureBrowsers(): Promise<BrowserPaths> {
  // A path named by hand that is wrong is for its owner to mend, not for an installer.
  const wanted = missingNames().filter((name) => !process.env[`${name.toUpperCase()}_PATH`])
  if (wanted.length > 0) await installBrowsers()
  const still = missingNames().filter((name) => wanted.includes(name))
  if (still.length > 0) await step('node_modules/.bin/playwright-core', ['install', ...still], DOWNLOAD_MS)

  const paths: BrowserPaths = {
    chromium: findBrowser('chromium'),
    firefox: findBrowser('firefox'),
    missing: {},
  }
  for (const name of BROWSER_NAMES) {
    const path = paths[name]
    if (path === undefined) paths.missing[name] = whyMissing(name)
    console.log(`install: ${name} ${path ?? `missing, ${paths.missing[name]}`}`)
  }
  return paths
}

if (import.meta.main) await ensureBrowsers()
