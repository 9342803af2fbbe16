import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Installs what the tests need. A failed installation is not an error here: the tests report what is
 * missing.
 */

const APT_UPDATE_MS = 120_000
const APT_INSTALL_MS = 600_000

interface Ended {
  ok: boolean
  /** How the program ended, with its last line of output. */
  how: string
}

/** Runs a program without a terminal until it ends or the time limit is over. Never rejects. */
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
      // A grandchild may hold the pipes open after the child was killed, so `close` would never fire.
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

/** Runs one installation step and prints its name and, if it fails, the reason. */
export async function step(program: string, args: readonly string[], timeLimitMs: number): Promise<Ended> {
  const line = [program, ...args].join(' ')
  console.log(`install: ${line}`)
  const ended = await attempt(program, args, timeLimitMs)
  if (!ended.ok) console.log(`install: failed, ${ended.how}`)
  return ended
}

export const onPath = (program: string): boolean =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/** The command prefix that runs a command as root; undefined if that would need a password. */
async function asRoot(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return []
  if (!onPath('sudo')) return undefined
  return (await attempt('sudo', ['-n', 'true'], 5_000)).ok ? ['sudo', '-n'] : undefined
}

/** Does nothing if apt is missing or needs a password. */
async function apt(args: readonly string[], timeLimitMs: number): Promise<void> {
  const prefix = onPath('apt-get') ? await asRoot() : undefined
  if (prefix === undefined) return
  const [program = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args]
  await step(program, rest, timeLimitMs)
}

let updated: Promise<void> | undefined

/** Runs once. May fail for a single source; the installation after it then reports the problem. */
export const updateApt = (): Promise<void> => (updated ??= apt(['update'], APT_UPDATE_MS))

export async function installWithApt(packages: readonly string[]): Promise<void> {
  await updateApt()
  await apt(['install', '-y', '--no-install-recommends', ...packages], APT_INSTALL_MS)
}
