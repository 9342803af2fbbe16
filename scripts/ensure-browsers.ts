import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BROWSER_NAMES, type BrowserName, findBrowser, whyMissing } from '../test/find-browser.ts'

/** Gets the browsers of the tests where they are missing. Not getting one is no error: its tests say so. */

const APT_UPDATE_MS = 120_000
const APT_INSTALL_MS = 600_000
const DOWNLOAD_MS = 600_000
const PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr' } as const

export interface BrowserPaths {
  chromium: string | undefined
  firefox: string | undefined
  /** One sentence for each browser that is missing. */
  missing: Partial<Record<BrowserName, string>>
}

interface Ended {
  ok: boolean
  /** How it ended, with the last line it wrote. */
  how: string
}

/** Runs a program to its end or its time limit, without a terminal to ask anything on. Never rejects. */
function attempt(program: string, args: readonly string[], timeLimitMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    let lastLine = ''
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    const limit = setTimeout(() => {
      // A grandchild may hold the pipes open after the child was killed, and `close` would never come.
      child.stdout.destroy()
      child.stderr.destroy()
    }, timeLimitMs + 1_000)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        lastLine = chunk.toString().trim().split('\n').at(-1) || lastLine
      })
    const end = (ok: boolean, how: string) => {
      clearTimeout(limit)
      resolve({ ok, how: lastLine === '' ? how : `${how}: ${lastLine.slice(0, 160)}` })
    }
    child.on('error', (error) => end(false, error.message))
    child.on('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `stopped after ${timeLimitMs / 1_000} s`
      end(code === 0, how)
    })
  })
}

async function step(program: string, args: readonly string[], timeLimitMs: number): Promise<Ended> {
  const line = [program, ...args].join(' ')
  console.log(`browsers: ${line}`)
  const ended = await attempt(program, args, timeLimitMs)
  if (!ended.ok) console.log(`browsers: failed, ${ended.how}`)
  return ended
}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/** What to put before a command so that it runs as root, or undefined where that takes a password. */
async function asRoot(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return []
  if (!onPath('sudo')) return undefined
  return (await attempt('sudo', ['-n', 'true'], 5_000)).ok ? ['sudo', '-n'] : undefined
}

const missingNames = (): BrowserName[] => BROWSER_NAMES.filter((name) => findBrowser(name) === undefined)

async function installWithApt(): Promise<void> {
  if (!onPath('apt-get')) return
  const prefix = await asRoot()
  if (prefix === undefined) return

  const apt = (args: readonly string[], timeLimitMs: number) => {
    const [program = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args]
    return step(program, rest, timeLimitMs)
  }
  await apt(['update'], APT_UPDATE_MS) // may fail for one source of many; the install then tells
  const options = ['install', '-y', '--no-install-recommends']
  const packages = missingNames().map((name) => PACKAGES[name])
  await apt([...options, ...packages, 'fonts-liberation'], APT_INSTALL_MS)
  // One unknown package makes apt install none: Ubuntu has no firefox-esr, and its chromium is a snap.
  for (const name of missingNames())
    if (packages.length > 1) await apt([...options, PACKAGES[name]], APT_INSTALL_MS)
}

/** Makes sure that there is a Chromium and a Firefox to test in, as far as this machine allows. */
export async function ensureBrowsers(): Promise<BrowserPaths> {
  // A path named by hand that is wrong is for its owner to mend, not for an installer.
  const wanted = missingNames().filter((name) => !process.env[`${name.toUpperCase()}_PATH`])
  if (wanted.length > 0) await installWithApt()
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
    console.log(`browsers: ${name} ${path ?? `missing, ${paths.missing[name]}`}`)
  }
  return paths
}

if (import.meta.main) await ensureBrowsers()
