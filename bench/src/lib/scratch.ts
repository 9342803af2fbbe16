import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for this run's databases, gone when the process ends, however it ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inkling-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
