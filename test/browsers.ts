import { userInfo } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type LaunchOptions,
} from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BROWSER_NAMES, type BrowserName, findBrowser, playwrightPath, whyMissing } from './find-browser.ts'

export { type BrowserName, chromiumPath, firefoxPath } from './find-browser.ts'

/** No background requests; and WebGL without a GPU, which needs a flag since Chromium 137. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Makes every Firefox window private, because BiDi cannot open a private one. */
export const FIREFOX_PRIVATE: LaunchOptions = {
  firefoxUserPrefs: { 'browser.privatebrowsing.autostart': true },
}

const pathOf = (name: BrowserName): string => {
  const path = findBrowser(name)
  if (path === undefined) throw new Error(`no ${name}: ${whyMissing(name)}`)
  return path
}

/** Launch options of an installed browser, for `launch` and `launchPersistentContext`. */
export const chromiumOptions = (options: LaunchOptions = {}): LaunchOptions => ({
  executablePath: join(import.meta.dirname, 'chromium-without-popups.sh'),
  ...options,
  env: { ...process.env, ...options.env, CHROMIUM: pathOf('chromium') },
  args: [...CHROMIUM_ARGS, ...(options.args ?? [])],
})

/** As root, Firefox rejects the HOME of another user, which container jobs of GitHub have. */
const ownHome = (): LaunchOptions =>
  process.getuid?.() === 0 ? { env: { ...process.env, HOME: userInfo().homedir } } : {}

/**
 * Playwright drives its own Firefox by its own protocol and everybody else's over WebDriver BiDi, which
 * playwright-core 1.64.1 does for Firefox ESR 153 under this channel and later versions do not.
 */
export const firefoxOptions = (options: LaunchOptions = {}): LaunchOptions => {
  const executablePath = pathOf('firefox')
  const own = executablePath === playwrightPath('firefox')
  return { executablePath, ...ownHome(), ...(!own && { channel: 'moz-firefox' }), ...options }
}

export const launchChromium = (options?: LaunchOptions): Promise<Browser> =>
  chromium.launch(chromiumOptions(options))
export const launchFirefox = (options?: LaunchOptions): Promise<Browser> =>
  firefox.launch(firefoxOptions(options))

type PersistentOptions = LaunchOptions & BrowserContextOptions

/** Launches with a permanent profile in `folder`, for a returning visitor. */
export const launchPersistentChromium = (
  folder: string,
  options: PersistentOptions = {},
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...options, ...chromiumOptions(options) })

export const launchPersistentFirefox = (
  folder: string,
  options: PersistentOptions = {},
): Promise<BrowserContext> =>
  firefox.launchPersistentContext(folder, { ...options, ...firefoxOptions(options) })

const LAUNCHERS = {
  chromium: { launch: launchChromium, launchPersistent: launchPersistentChromium },
  firefox: { launch: launchFirefox, launchPersistent: launchPersistentFirefox },
}

export interface TestBrowser {
  name: BrowserName
  /** The browser that suites share; one context per test keeps the tests apart. */
  running(): Browser
  /** A second browser for a test with other settings, which closes it. */
  launch(options?: LaunchOptions): Promise<Browser>
  launchPersistent(folder: string, options?: PersistentOptions): Promise<BrowserContext>
}

/**
 * Browsers that stay for the next file of this worker, because a start costs as much as many tests. They end with the
 * worker's process.
 */
const kept = new Map<BrowserName, Browser>()

export async function keptBrowser(name: BrowserName): Promise<Browser> {
  const known = kept.get(name)
  if (known?.isConnected()) return known
  const launched = await LAUNCHERS[name].launch()
  kept.set(name, launched)
  return launched
}

/** Runs the suite in each browser. A missing browser gives one skipped test with the reason in its name. */
export function describeBrowsers(name: string, suite: (browser: TestBrowser) => void): void {
  for (const browserName of BROWSER_NAMES) {
    if (findBrowser(browserName) === undefined) {
      test.skip(`${name} in ${browserName}: not run, ${whyMissing(browserName)}`, () => {})
      continue
    }
    describe(`${name} in ${browserName}`, () => {
      let shared: Browser | undefined
      beforeAll(async () => {
        shared = await keptBrowser(browserName)
      })
      // Pages would work on, and be in the way of the next file.
      afterAll(() => Promise.all((shared?.contexts() ?? []).map((context) => context.close())))
      suite({
        name: browserName,
        ...LAUNCHERS[browserName],
        running() {
          if (!shared) throw new Error('the browser runs from beforeAll on, not while tests are collected')
          return shared
        },
      })
    })
  }
}
