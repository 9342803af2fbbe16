import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser, whyMissing } from '../../../test/find-browser.ts'

/**
 * Switches for programs and people alike: no background requests, no sandbox because of root, and WebGL
 * without a GPU.
 */
export const CHROMIUM_ARGS = [
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

/** The same for Firefox, without the pages and bars of a first start. */
export const FIREFOX_PREFS: Readonly<Record<string, string | number | boolean>> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.tabs.warnOnClose': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'termsofuse.bypassNotification': true,
  'toolkit.telemetry.enabled': false,
}

export function browserPath(engine: 'chromium' | 'firefox'): string {
  const path = findBrowser(engine)
  if (path === undefined) throw new Error(`no ${engine}: ${whyMissing(engine)}`)
  return path
}

export async function writeFirefoxPrefs(
  profile: string,
  prefs: Readonly<Record<string, string | number | boolean>> = {},
): Promise<void> {
  const lines = Object.entries({ ...FIREFOX_PREFS, ...prefs }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await mkdir(profile, { recursive: true })
  await writeFile(join(profile, 'user.js'), lines.join(''))
}

/** Settings of a person's Chromium at its first start. */
export async function writeChromiumPrefs(profile: string, prefs: object): Promise<void> {
  await mkdir(join(profile, 'Default'), { recursive: true })
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(prefs))
}
