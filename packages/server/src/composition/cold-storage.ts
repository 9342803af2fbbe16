import { DAY_MS, MINUTE_MS } from '../lib/durations.ts'
import { createSlewedClock } from '../lib/slewed-clock.ts'
import { moveOldBodies } from '../store/cold/move-old-bodies.ts'
import { bringAllBack, tidyObjects } from '../store/cold/tidy-objects.ts'
import { logFailure, type ServerContext } from './config.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** A run that finds nothing costs a query for each domain. */
const RUN_MS = 10 * MINUTE_MS

/** Starts what moves the bodies of old rows to the cold storage, in one process of an installation at a time. */
export function startColdStorage(
  context: ServerContext,
  { storage: { store }, telemetry: { metrics } }: { storage: Pick<Storage, 'store'>; telemetry: Telemetry },
): void {
  const { config, now, log, tasks } = context
  const { cold } = store
  if (!cold) return
  const { stopped } = tasks
  // If the clock is set a year ahead by mistake, young visits must not be moved.
  const slewedNow = createSlewedClock(now)
  const lost = (object: string): void =>
    log.warn({ object }, 'the cold storage has lost an object; the snapshots in it cannot be read')

  async function run(place: typeof store & { cold: NonNullable<typeof cold> }): Promise<void> {
    const nowMs = slewedNow()
    if (config.COLD_AFTER_DAYS === 0) return void (await bringAllBack(place, { nowMs, lost, stopped }))
    const beforeMs = nowMs - config.COLD_AFTER_DAYS * DAY_MS
    await moveOldBodies(place, { beforeMs, nowMs, stopped })
    await tidyObjects(place, { nowMs, lost, stopped })
  }
  tasks.repeat(
    RUN_MS,
    () =>
      store.alone(
        'cold_storage',
        metrics.watchedJob('cold_storage', () => run({ ...store, cold })),
      ),
    logFailure(context, 'old snapshots could not be moved to the cold storage'),
  )
}
