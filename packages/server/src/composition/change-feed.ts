import { access, constants } from 'node:fs/promises'
import { makeFeedDirectory } from '../jobs/change-feed/feed-file.ts'
import { writeChangeFeed } from '../jobs/change-feed/write-change-feed.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { createSlewedClock } from '../lib/slewed-clock.ts'
import { endForgottenFeed } from '../store/change-feed/change-feed.ts'
import { logFailure, type ServerContext } from './config.ts'
import { type FeedPlace, feedPlace } from './feed-place.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** A file a minute is enough for an analysis. */
const FILE_MS = MINUTE_MS
/** Long enough to repair what reads the feed, and the node that writes it. */
const FORGOTTEN_MS = 7 * DAY_MS

/** Starts what writes the feed, in one process of an installation at a time. */
export async function startChangeFeed(
  context: ServerContext,
  { storage: { store }, telemetry: { metrics } }: { storage: Pick<Storage, 'store'>; telemetry: Telemetry },
): Promise<void> {
  const { config, now, tasks } = context
  const place = feedPlace(config)
  // Made now, so that a wrong setting ends the start.
  if (place) await openFeedDirectory(place.directory)
  // If the clock is set a year ahead by mistake, the feed of another node must not be forgotten.
  const slewedNow = createSlewedClock(now)
  const write = (settings: FeedPlace) =>
    writeChangeFeed(store, {
      ...settings,
      personal: config.CHANGE_FEED_PERSONAL,
      now,
      unreadable: logFailure(context, 'a row was left out of the change feed, because it cannot be read'),
      stopped: tasks.stopped,
    })
  if (place)
    tasks.repeat(
      FILE_MS,
      () =>
        store.alone(
          'change_feed',
          metrics.watchedJob('change_feed', () => write(place)),
        ),
      logFailure(context, 'the change feed could not be written'),
    )
  else
    tasks.repeat(
      HOUR_MS,
      () =>
        store.writes
          .transaction()
          .execute((transaction) => endForgottenFeed(transaction, slewedNow() - FORGOTTEN_MS)),
      logFailure(context, 'the end of a change feed could not be recorded'),
    )
}

/** @throws AppError `INK_CONFIG` where the server cannot make the folder, or not write into it */
async function openFeedDirectory(directory: string): Promise<void> {
  try {
    await makeFeedDirectory(directory)
    await access(directory, constants.W_OK)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INK_CONFIG', `settings are wrong:\n  CHANGE_FEED_DIR: ${reason}`, { cause })
  }
}
