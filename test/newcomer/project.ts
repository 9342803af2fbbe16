import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** The Node of this process comes first in the path. */
const env = (settings: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  ...settings,
})

const INSTALL_LIMIT_MS = 180_000

/** The empty folder of a new user. */
export interface Project {
  folder: string
  install(...specifiers: string[]): Promise<void>
  /** Runs a program of the installed packages and returns its output. */
  run(program: string, ...args: string[]): Promise<string>
  /** Starts a program, waits for a matching line, and returns the captured text. */
  start(command: readonly string[], ready: RegExp, settings: Record<string, string>): Promise<string>
  /** Ends the started programs, the latest first. */
  stop(): Promise<void>
}

export async function openProject(folder: string): Promise<Project> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const programOf = (name: string) => join(folder, 'node_modules/.bin', name)
  const started: ChildProcess[] = []

  return {
    folder,
    async install(...specifiers) {
      const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0']
      await promisify(execFile)('npm', ['install', ...quiet, ...specifiers], {
        cwd: folder,
        env: env(),
        timeout: INSTALL_LIMIT_MS,
      })
    },
    async run(program, ...args) {
      return (await promisify(execFile)(programOf(program), args, { cwd: folder, env: env() })).stdout
    },
    async start([program = '', ...args], ready, settings) {
      const path = program === 'node' ? process.execPath : programOf(program)
      const child = spawn(path, args, {
        cwd: folder,
        env: env(settings),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      started.push(child)
      for await (const line of createInterface({ input: child.stdout })) {
        const [, captured] = ready.exec(line) ?? []
        if (captured !== undefined) return captured
      }
      throw new Error(`${program} ended before it was ready`)
    },
    async stop() {
      for (const child of started.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exited = once(child, 'exit')
        child.kill()
        await exited
      }
    },
  }
}
