import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Memory } from './memory-process.ts'

const PROCESS = new URL('memory-process.ts', import.meta.url).pathname
const TIMEOUT_MS = 300_000

/** Memory of a contender in its own process, after the given number of lookups. */
export async function measureMemory(contender: 'inkling' | 'maxmind', lookups: number): Promise<Memory> {
  const argv = ['--expose-gc', PROCESS, contender, String(lookups)]
  const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: TIMEOUT_MS })
  return JSON.parse(stdout) as Memory
}
