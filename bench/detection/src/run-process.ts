import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Configuration } from './configuration.ts'
import { openRunFolder } from './run-folder.ts'

const RUN_VISIT = fileURLToPath(new URL('./run-visit.ts', import.meta.url))

export interface VisitProcess {
  /** Resolves when the driver is done; rejects with its error output. */
  done: Promise<void>
  /** Kills the driver and all browsers it has started, and removes their files. */
  end(): Promise<void>
}

export function startVisit(
  { id, env = {} }: Configuration,
  { visit, origin, display }: { visit: string; origin: string; display: string },
): VisitProcess {
  const folder = openRunFolder()
  const child = spawn(process.execPath, [RUN_VISIT, id, visit, origin], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...folder.env, ...env, DISPLAY: display },
  })
  const done = exitOf(child, folder.path)
  done.catch(() => undefined)
  return {
    done,
    async end() {
      child.kill('SIGKILL')
      await folder.close()
      await done.catch(() => undefined)
    },
  }
}

async function exitOf(child: ChildProcess, folder: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-20_000)
  })
  child.once('error', reject)
  // `exit`, not `close`: a surviving browser may hold the pipe open.
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(whatFailed(said, folder)))))
  await promise
}

/** The line with the error, without folder names of this machine. */
function whatFailed(said: string, folder: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((text) => /\b\w*Error\b.*:/.test(text)) ?? lines.at(-1) ?? 'the driver failed'
  return line.replaceAll(folder, 'FOLDER').trim().slice(0, 300)
}
