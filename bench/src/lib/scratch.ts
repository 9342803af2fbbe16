import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for this run's databases, gone when the process ends, however it ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inkling-bench-'))
  // Again, where a server that is just being ended still writes.
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  )
  return folder
}
