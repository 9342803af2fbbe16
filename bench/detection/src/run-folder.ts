import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './end-processes.ts'

/** Time zone and language of everybody who asks for no other: a machine in UTC says too much. */
const PLACE = { TZ: 'Europe/Berlin', LANG: 'en_US.UTF-8', LANGUAGE: 'en_US' }

export interface RunFolder {
  path: string
  /** For everything that the run starts: its own home, and the mark by which it is found again. */
  env: NodeJS.ProcessEnv
  /** Ends whatever the run has started, and removes its files. */
  close(): Promise<void>
}

/** A folder of one run alone. */
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
