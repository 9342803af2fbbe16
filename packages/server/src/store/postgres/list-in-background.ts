import type { Pool } from 'pg'
import { every } from '../../lib/every.ts'
import { listKeys } from './list-keys.ts'
import { runAlone } from './locks.ts'

const PAUSE_MS = 1_000

/** Has keys listed every now and then, by one node at a time. What could not be listed is found where it is. */
export function listInBackground(
  pools: Record<'jobs' | 'locks', Pool>,
  warn: (message: string, error: unknown) => void,
): { stop(): Promise<void> } {
  let stopping = false
  const timer = every(
    PAUSE_MS,
    () =>
      runAlone(pools.locks, 'listing', async () => {
        while (!stopping && (await listKeys(pools.jobs)));
      }),
    (error) => warn('keys of devices could not be listed', error),
  )
  return {
    async stop() {
      stopping = true
      await timer.stop()
    },
  }
}
