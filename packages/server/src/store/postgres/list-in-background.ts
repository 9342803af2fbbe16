import type { Pool } from 'pg'
import { every } from '../../lib/every.ts'
import { listKeys } from './list-keys.ts'
import { runAlone } from './locks.ts'

const PAUSE_MS = 1_000

/** Has keys listed every now and then, by one node at a time. What could not be listed is found where it is. */
export function listInBackground(pool: Pool): { stop(): Promise<void> } {
  let stopping = false
  const timer = every(
    PAUSE_MS,
    () =>
      runAlone(pool, 'listing', async () => {
        while (!stopping && (await listKeys(pool)));
      }),
    () => {},
  )
  return {
    async stop() {
      stopping = true
      await timer.stop()
    },
  }
}
