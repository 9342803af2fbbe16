import type { DistinctCounter } from '../../visit/velocity.ts'
import type { VelocityKey } from './velocity-batch.ts'
import type { VelocityState } from './velocity-state.ts'

/** The counts of subjects. Visits are counted by the commit that stores them. */
export interface VelocityStore {
  /** The state as of the last commit; undefined for a subject without visits. */
  read(key: VelocityKey): Promise<VelocityState | undefined>
  /** Brings the table up to date with all visits, and then forgets what is erased. */
  settle(forgotten?: ForgottenCounts): Promise<void>
}

export interface ForgottenCounts {
  /** Of these nothing is kept. */
  removed: readonly VelocityKey[]
  /** These keep their counts, without the values. */
  changed: readonly VelocityKey[]
  values: readonly (readonly [DistinctCounter, number])[]
}
