import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser, whyMissing } from '../../../test/find-browser.ts'
import {
  browserPath,
  CHROMIUM_ARGS,
  writeChromiumPrefs,
  writeFirefoxPrefs,
} from '../../detection/src/browsers.ts'

export type Engine = 'chromium' | 'firefox'
export const ENGINES: readonly Engine[] = ['chromium', 'firefox']

export interface BrowserOptions {
  engine: Engine
  profile: string
  url: string
  args?: readonly string[]
  /** The `Preferences` tree of Chromium, or named preferences of Firefox. */
  prefs?: Record<string, string | number | boolean | object>
}

/** A browser like a person's: with a window, and nothing that drives it. */
export async function openBrowser({ engine, profile, url, args = [], prefs = {} }: BrowserOptions) {
  if (engine === 'chromium') await writeChromiumPrefs(profile, prefs)
  else await writeFirefoxPrefs(profile, prefs as Record<string, string | number | boolean>)
  const own =
    engine === 'chromium'
      ? [...CHROMIUM_ARGS, `--user-data-dir=${profile}`]
      : ['--new-instance', '--profile', profile]
  const browser = spawn(browserPath(engine), [...own, ...args, url], { stdio: 'ignore' })
  return { close: () => end(browser) }
}

async function end(browser: ChildProcess): Promise<void> {
  if (browser.exitCode !== null || browser.signalCode !== null) return
  const exited = once(browser, 'exit')
  browser.kill()
  await exited
}

/** As in `docs/content-security-policy.md` of nobody: every name of the benchmark is this machine. */
const RESOLVE_ALL = '--host-resolver-rules=MAP *.example 127.0.0.1'

/**
 * Writes programs that start the browsers with this benchmark's names and authority, and returns the environment in
 * which all parts of it find them.
 */
export async function wrapBrowsers(folder: string, nssFolder: string): Promise<Record<string, string>> {
  const programs = {
    chromium: `#!/bin/sh
for home in "$HOME/.pki" "$HOME/.local/share/pki"; do
  mkdir -p "$home" && rm -rf "$home/nssdb" && cp -r '${nssFolder}' "$home/nssdb"
done
exec '${programOf('chromium')}' '${RESOLVE_ALL}' "$@"
`,
    firefox: `#!/bin/sh
last=
for argument in "$@"; do
  case "$last" in
    --profile | -profile)
      cp '${nssFolder}'/* "$argument/"
      echo 'user_pref("network.dns.forceResolve", "127.0.0.1");' >> "$argument/user.js"
      ;;
  esac
  last=$argument
done
exec '${programOf('firefox')}' "$@"
`,
  }
  for (const engine of ENGINES) {
    await writeFile(join(folder, engine), programs[engine])
    await chmod(join(folder, engine), 0o755)
  }
  return { CHROMIUM_PATH: join(folder, 'chromium'), FIREFOX_PATH: join(folder, 'firefox') }
}

function programOf(engine: Engine): string {
  const path = findBrowser(engine)
  if (path === undefined) throw new Error(`no ${engine}: ${whyMissing(engine)}`)
  return path
}
