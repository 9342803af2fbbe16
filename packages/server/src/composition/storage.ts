import { mkdir } from 'node:fs/promises'
import { type Directory, openDirectory } from '../auth/directory.ts'
import { openServerSecrets, type ServerSecrets } from '../auth/server-secrets.ts'
import { throttledLog } from '../lib/log.ts'
import { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
import { createSlewedClock } from '../lib/slewed-clock.ts'
import { keepPrivate, lockDataDir } from '../store/data-dir.ts'
import { type DiskBudget, openDiskBudget } from '../store/disk-budget.ts'
import { openStickyVerdicts, type StickyVerdicts } from '../store/identifications/sticky-verdicts.ts'
import { openStore } from '../store/open-store.ts'
import { checkLog } from '../store/sqlite/check-parts.ts'
import type { Store } from '../store/store.ts'
import { type SubjectHashes, subjectHashes, velocityKey } from '../store/velocity/subject-hashes.ts'
import { diskBudgetOptions, FAILURE_LOG_INTERVAL_MS, type ServerContext, storePlace } from './config.ts'
import type { Telemetry } from './telemetry.ts'

/** The open database, and what is kept in memory of it. */
export interface Storage {
  store: Store
  secrets: ServerSecrets
  /** Seals webhook secrets. */
  box: SecretBox
  /** Hashes what visits are counted by. */
  subjectHashes: SubjectHashes
  /** Domains, keys and endpoints. */
  directory: Directory
  sticky: StickyVerdicts
  budget: DiskBudget
}

export async function openStorage(
  { config, log, now, opened }: ServerContext,
  { telemetry }: { telemetry: Telemetry },
): Promise<Storage> {
  const warn = throttledLog<{ message: string; err: unknown }>(
    FAILURE_LOG_INTERVAL_MS,
    ({ message, err }, times) => log.warn({ err, times }, message),
  )
  if (config.DATABASE_URL === undefined) {
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
    await keepPrivate(config.DATA_DIR)
    const lock = lockDataDir(config.DATA_DIR)
    opened.defer(() => lock.release())
    await checkLog(config.DATA_DIR)
  }
  const store = telemetry.instrumentedStore(
    await openStore({
      ...storePlace(config, telemetry.metrics.coldStorageAsked),
      batchCommitted: telemetry.metrics.batchCommitted,
      warn: (message, err) => warn({ message, err }),
    }),
  )
  opened.defer(() => store.close())
  const secrets = await openServerSecrets(store.secrets)
  const box = createSecretBox(secrets.secret_box_key)
  return {
    store,
    secrets,
    box,
    subjectHashes: subjectHashes(velocityKey(secrets.secret_box_key)),
    directory: await openDirectory(store, box),
    // Those of today are kept, too, while a clock that was set ahead by mistake calls them old.
    sticky: await openStickyVerdicts(store.reads, createSlewedClock(now)),
    budget: await openDiskBudget(store, diskBudgetOptions(config)),
  }
}
