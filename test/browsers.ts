import { userInfo } from 'node:os'
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

/** Nothing that calls home; and WebGL without a GPU, which Chromium 137 and later otherwise refuse. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Makes every window of Firefox a private one: over BiDi there is no other way to ask for it. */
export const FIREFOX_PRIVATE: LaunchOptions = {
  firefoxUserPrefs: { 'browser.privatebrowsing.autostart': true },
}

const pathOf = (name: BrowserName): string => {
  const path = findBrowser(name)
  if (path === undefined) throw new Error(`no ${name}: ${whyMissing(name)}`)
  return path
}

/** The launch options for the browser that is there; for `launch` and `launchPersistentContext` alike. */
export const chromiumOptions = (options: LaunchOptions = {}): LaunchOptions => ({
  executablePath: pathOf('chromium'),
  ...options,
  args: [...CHROMIUM_ARGS, ...(options.args ?? [])],
})

/** Firefox run by root refuses a HOME of another user, which is what container jobs of GitHub have. */
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

/** With a profile in `folder` that outlives the browser, as a visitor who comes back has. */
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
  /** The browser that the suite shares; one context per test keeps the tests apart. */
  running(): Browser
  /** Another one, for a test that needs other settings. The test closes it. */
  launch(options?: LaunchOptions): Promise<Browser>
  launchPersistent(folder: string, options?: PersistentOptions): Promise<BrowserContext>
}

/** Runs the suite in each browser. A missing one leaves one skipped test, whose name says why. */
export function describeBrowsers(name: string, suite: (browser: TestBrowser) => void): void {
  for (const browserName of BROWSER_NAMES) {
    if (findBrowser(browserName) === undefined) {
      test.skip(`${name} in ${browserName}: not run, ${whyMissing(browserName)}`, () => {})
      continue
    }
    describe(`${name} in ${browserName}`, () => {
      let shared: Browser | undefined
      beforeAll(async () => {
        shared = await LAUNCHERS[browserName].launch()
      })
      afterAll(() => shared?.close())
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
