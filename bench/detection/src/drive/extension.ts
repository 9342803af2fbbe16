import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { browserPath, CHROMIUM_ARGS, writeChromiumPrefs } from '../browsers.ts'
import type { Visit } from '../visit.ts'

const FOLDER = new URL('../../extensions/', import.meta.url)

/** A Chromium without a debugging port, driven by an unpacked extension that acts once the page was measured. */
export async function driveByExtension(visit: Visit, extension: string): Promise<void> {
  await writeChromiumPrefs(visit.profile, {})
  const browser = spawn(
    browserPath('chromium'),
    [...CHROMIUM_ARGS, `--user-data-dir=${visit.profile}`, ...extensionArgs(extension), visit.url],
    { stdio: 'ignore' },
  )
  const exited = once(browser, 'exit')
  await visit.final()
  browser.kill()
  await exited
}

export const extensionArgs = (name: string): string[] => [
  `--load-extension=${fileURLToPath(new URL(name, FOLDER))}`,
  '--disable-features=DisableLoadExtensionCommandLineSwitch',
  // Without it a bar above the page says who debugs it.
  '--silent-debugger-extension-api',
]
