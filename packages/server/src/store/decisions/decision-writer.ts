import type { Store } from '../store.ts'
import { decisionStore, type NewDecision, type StoredOutcome } from './decisions.ts'

export interface DecisionWriter {
  /** Resolves once the decision is on disk, or proves to be in the way of another one. */
  add(row: NewDecision): Promise<StoredOutcome>
}

interface Pending {
  row: NewDecision
  outcome: PromiseWithResolvers<StoredOutcome>
}

/** As with identifications: a larger one would delay its first decision. */
const BATCH_MAX = 128

/** Stores decisions that came during a commit in the next one: a disk sync costs the same for one as for a hundred. */
export function createDecisionWriter({ writes }: Pick<Store, 'writes'>): DecisionWriter {
  const queue: Pending[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_MAX)
      for (const [domainId, ofDomain] of Map.groupBy(batch, ({ row }) => row.domain_id))
        await write(domainId, ofDomain)
    }
    isWriting = false
  }

  async function write(domainId: number, pending: readonly Pending[]): Promise<void> {
    try {
      const rows = pending.map(({ row }) => row)
      const outcomes = await writes
        .transaction()
        .execute((transaction) => decisionStore(transaction).add(domainId, rows))
      for (const [index, { outcome }] of pending.entries()) outcome.resolve(outcomes[index] ?? 'gone')
    } catch (error) {
      for (const { outcome } of pending) outcome.reject(error)
    }
  }

  return {
    add(row) {
      const outcome = Promise.withResolvers<StoredOutcome>()
      queue.push({ row, outcome })
      if (!isWriting) void writeAll()
      return outcome.promise
    },
  }
}
