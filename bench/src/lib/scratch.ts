import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the databases of this run, removed when the process ends for any reason. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inkling-bench-'))
  // Retries, because a server that is being killed may still write.
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  )
  return folder
}
