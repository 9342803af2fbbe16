import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './end-processes.ts'

/** Default time zone and language, because UTC is suspicious. */
const PLACE = { TZ: 'Europe/Berlin', LANG: 'en_US.UTF-8', LANGUAGE: 'en_US' }

export interface RunFolder {
  path: string
  /**
   * Environment of everything that the run starts: its own home, and the marker that identifies its
   * processes.
   */
  env: NodeJS.ProcessEnv
  /** Kills all processes that the run has started, and removes its files. */
  close(): Promise<void>
}

/** Creates a folder for a single run. */
export function openRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), 'inkling-visit-'))
  const home = join(path, 'home')
  const runtime = join(path, 'runtime')
  for (const folder of [home, runtime]) mkdirSync(folder, { mode: 0o700 })
  return {
    path,
    env: { ...process.env, ...PLACE, TMPDIR: path, HOME: home, XDG_RUNTIME_DIR: runtime },
    async close() {
      await endProcessesOf(path)
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
