import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { browserPath, CHROMIUM_ARGS, writeFirefoxPrefs } from '../browsers.ts'
import { openRunFolder } from '../run-folder.ts'
import type { LoadResult, TimingSite } from './open-timing-site.ts'

export type Engine = 'chromium' | 'firefox'
export type Mode = 'time' | 'block'

const LOAD_LIMIT_MS = 40_000

export interface Load {
  engine: Engine
  mode: Mode
  /** URL of the agent's module; empty for a page without an agent. */
  agentUrl: string
}

/**
 * Measures one load in a newly started browser with a new profile. Nothing drives the browser, because an
 * attached debugger would slow down some probes.
 */
export async function loadOnce(site: TimingSite, { engine, mode, agentUrl }: Load): Promise<LoadResult> {
  const load = randomUUID()
  const url = `${site.origin}/?${new URLSearchParams({ load, mode, agent: agentUrl })}`
  const folder = openRunFolder()
  const limit = AbortSignal.timeout(LOAD_LIMIT_MS)
  const late = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new Error(`no result within ${LOAD_LIMIT_MS / 1_000} s`)))
  })
  try {
    const [program, args] = await commandOf(engine, join(folder.path, 'profile'))
    spawn(program, [...args, url], { stdio: 'ignore', env: folder.env })
    return await Promise.race([site.result(load), late])
  } finally {
    await folder.close()
  }
}

async function commandOf(engine: Engine, profile: string): Promise<[program: string, args: string[]]> {
  const program = browserPath(engine)
  if (engine === 'chromium')
    return [program, [...CHROMIUM_ARGS, '--headless=new', `--user-data-dir=${profile}`]]
  await writeFirefoxPrefs(profile)
  return [program, ['--headless', '--new-instance', '--profile', profile]]
}
