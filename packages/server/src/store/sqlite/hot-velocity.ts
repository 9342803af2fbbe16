import type { DatabaseSync } from 'node:sqlite'
import { growingCache } from '../../lib/growing-cache.ts'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { type VelocityBatch, type VelocityKey, velocityBatch } from '../velocity/velocity-batch.ts'
import { decodeState, encodeState, type VelocityState } from '../velocity/velocity-state.ts'

/** Of memory, about: the states of some 20,000 ordinary subjects. */
const HOT_BYTES_MAX = 32 * 2 ** 20
/** What a state takes decoded: lists of numbers of eight bytes, and the objects around them. */
const STATE_BYTES = 1_000
const DECODED = 10

/** The counts of subjects in the embedded database. */
export interface HotVelocity {
  /** Call it inside of each transaction. */
  begin(): VelocityBatch
  /** Writes what the batch has changed, as the last statements of the transaction. */
  save(batch: VelocityBatch): void
  /** Call it after a transaction that failed. */
  forget(): void
}

/**
 * Keeps the states that visits changed lately decoded, so that those of people who return are not read and decoded
 * again. They are exact only while nobody else writes: any change by another connection, or by another statement of this
 * one, such as an erasure, empties the memory.
 */
export function hotVelocity(db: DatabaseSync): HotVelocity {
  const find = db.prepare('select state from velocity where domain_id = ? and subject = ? and hash = ?')
  const store = db.prepare(
    `insert into velocity (domain_id, subject, hash, state, updated_at) values (?, ?, ?, ?, ?)
     on conflict do update set state = excluded.state, updated_at = max(updated_at, excluded.updated_at)`,
  )
  const dataVersion = db.prepare('pragma data_version')
  const totalChanges = db.prepare('select total_changes() as total_changes')
  const hot = growingCache<string, VelocityState>(HOT_BYTES_MAX)
  let seenVersion: unknown
  let seenChanges: unknown

  function read(key: VelocityKey, name: string): VelocityState | undefined {
    const known = hot.get(name)
    if (known) return known
    const subject = VELOCITY_SUBJECTS[key.subject]
    const row = find.get(key.domain_id, key.subject, key.hash)
    return row && subject && decodeState(subject, row.state as Uint8Array)
  }

  return {
    begin() {
      const version = dataVersion.get()?.data_version
      if (version !== seenVersion || totalChanges.get()?.total_changes !== seenChanges) hot.clear()
      seenVersion = version
      return velocityBatch(read)
    },
    save(batch) {
      for (const { key, name, state, updatedAt } of batch.changed()) {
        const bytes = encodeState(state)
        store.run(key.domain_id, key.subject, key.hash, bytes, updatedAt)
        hot.set(name, state, { size: STATE_BYTES + DECODED * bytes.length })
      }
      seenChanges = totalChanges.get()?.total_changes
    },
    forget: () => hot.clear(),
  }
}
