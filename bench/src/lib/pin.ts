import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Keeps processes, with all their threads and whatever they start from now on, to the first cores of the machine, as on
 * a smaller one.
 */
export async function pin(pids: readonly number[], cores: number): Promise<void> {
  for (const pid of pids)
    await promisify(execFile)('taskset', [
      '--all-tasks',
      '--cpu-list',
      '--pid',
      `0-${cores - 1}`,
      String(pid),
    ])
}
