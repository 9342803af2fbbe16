import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { WriteOperation, WriteOutcome } from '../store/store.ts'

type Delivery = Extract<WriteOperation, { type: 'delivery' }>

/** A send is remembered so long without a record; after that its event is sent again. */
const KNOWN_MS = 10 * 60_000

export interface DeliveryRecordsDeps {
  commit(operation: WriteOperation): Promise<WriteOutcome>
  now(): number
  warn(message: string, error: unknown): void
}

export interface DeliveryRecords {
  /** Records a send; one that cannot be recorded now is kept. Never rejects. */
  record(entry: OutboxRow, operation: Delivery): Promise<void>
  /** Whether the entry was sent and waits here for its record, for which its hold is taken over. */
  isSent(entry: OutboxRow): boolean
  /** Tries what is kept once more, as long as this process holds it. Never rejects. */
  tryAgain(): Promise<void>
}

interface Kept {
  entry: OutboxRow
  operation: Delivery
  triedAt: number
}

/** Records sends, so that one whose record fails is not made again while this process has the entry to itself. */
export function createDeliveryRecords(deps: DeliveryRecordsDeps): DeliveryRecords {
  const kept = new Map<number, Kept>()

  async function record(entry: OutboxRow, operation: Delivery): Promise<void> {
    try {
      const outcome = await deps.commit(operation)
      if (outcome.type === 'failed') throw new Error(outcome.message)
      kept.delete(entry.id)
    } catch (error) {
      kept.set(entry.id, { entry, operation, triedAt: deps.now() })
      deps.warn('a delivery could not be recorded', error)
    }
  }

  function isKnown({ operation }: Kept): boolean {
    const ageMs = deps.now() - operation.log.sent_at
    // Less than nothing: the clock went back, and nobody knows how old it is.
    return ageMs >= 0 && ageMs < KNOWN_MS
  }

  /** It waits as long as it has been tried, so that ten minutes are some twelve tries. */
  function isDue({ entry, operation, triedAt }: Kept): boolean {
    const nowMs = deps.now()
    return entry.due_at > nowMs && nowMs - triedAt >= triedAt - operation.log.sent_at
  }

  return {
    record,
    isSent(entry) {
      const known = kept.get(entry.id)
      // A further attempt is another process's: it has recorded this one.
      if (!known || !isKnown(known) || known.entry.attempts !== entry.attempts) {
        kept.delete(entry.id)
        return false
      }
      known.entry.due_at = entry.due_at
      return true
    },
    async tryAgain() {
      for (const [id, one] of kept) if (!isKnown(one)) kept.delete(id)
      const due = [...kept.values()].filter(isDue)
      await Promise.all(due.map(({ entry, operation }) => record(entry, operation)))
    },
  }
}
