import type { WriteOperation, WriteOutcome } from '../write-operation.ts'
import type { UnlistedKeys } from './unlisted-keys.ts'

/** Devices whose keys are listed together under load. */
const ENOUGH = 1_000
/** Without load they are listed after this time. */
const PATIENCE_MS = 1_000

/** Has keys listed in the background. Whatever it leaves lies on disk, for the next process that opens the database. */
export function listInBackground(
  unlisted: UnlistedKeys,
  commit: (operation: WriteOperation) => Promise<WriteOutcome>,
) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false

  async function run(): Promise<void> {
    let going = true
    while (going && !stopped) {
      const outcome = await commit({ type: 'listing' })
      if (outcome.type !== 'listed') return
      unlisted.follow(outcome.listing)
      going = outcome.listing.upTo !== undefined || unlisted.size() >= ENOUGH
    }
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (running || stopped) return
    // What could not be listed stays where it is, and is tried again with the next device.
    running = run()
      .catch(() => {})
      .finally(() => {
        running = undefined
        if (unlisted.size() > 0) later()
      })
  }

  function later(): void {
    if (stopped) return
    timer ??= setTimeout(start, PATIENCE_MS).unref()
  }

  return {
    /** After keys were added. */
    noticed(): void {
      if (unlisted.size() >= ENOUGH) start()
      else later()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
