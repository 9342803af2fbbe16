import { BROWSER_NAMES, type BrowserName, findBrowser, whyMissing } from '../test/find-browser.ts'
import { installWithApt, step } from './install-step.ts'

/**
 * Installs missing browsers for the tests. A failed installation is not an error here: the tests report
 * it.
 */

const DOWNLOAD_MS = 600_000
const PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr' } as const

export interface BrowserPaths {
  chromium: string | undefined
  firefox: string | undefined
  /** One sentence per missing browser. */
  missing: Partial<Record<BrowserName, string>>
}

const missingNames = (): BrowserName[] => BROWSER_NAMES.filter((name) => findBrowser(name) === undefined)

async function installBrowsers(): Promise<void> {
  const packages = missingNames().map((name) => PACKAGES[name])
  // A display and keyboard for browsers without a driver.
  await installWithApt([...packages, 'fonts-liberation', 'xvfb', 'xdotool'])
  // Then one by one, because apt installs nothing if a package is unknown. Ubuntu has no firefox-esr,
  // and its chromium is a snap.
  for (const name of missingNames()) if (packages.length > 1) await installWithApt([PACKAGES[name]])
}

/** Installs Chromium and Firefox if this machine allows it. */
export async function ensureBrowsers(): Promise<BrowserPaths> {
  // If a path was configured by hand and is wrong, do not install anything.
  const missing = missingNames().filter((name) => !process.env[`${name.toUpperCase()}_PATH`])
  if (missing.length > 0) await installBrowsers()
  const still = missingNames().filter((name) => missing.includes(name))
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
