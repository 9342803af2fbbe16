import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { WriteOperation, WriteOutcome } from '../store/store.ts'

type Delivery = Extract<WriteOperation, { type: 'delivery' }>

/** How long an unrecorded send is remembered. After that, its event is sent again. */
const REMEMBERED_MS = 10 * 60_000

export interface DeliveryRecordsDeps {
  commit(operation: WriteOperation): Promise<WriteOutcome>
  now(): number
  warn(message: string, error: unknown): void
}

export interface DeliveryRecords {
  /** Writes the record of a send, or keeps it for a retry when the database fails. Never rejects. */
  record(entry: OutboxRow, operation: Delivery): Promise<void>
  /** Whether the entry was sent and its record waits here for a retry. If so, extends the hold of the kept record. */
  isSent(entry: OutboxRow): boolean
  /** Retries the kept records of entries that this process still holds. Never rejects. */
  retry(): Promise<void>
}

interface Kept {
  entry: OutboxRow
  operation: Delivery
  triedAt: number
}

/** Records sends. An event whose record fails is not sent again while this process holds its outbox entry. */
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

  function isRemembered({ operation }: Kept): boolean {
    const ageMs = deps.now() - operation.log.sent_at
    // A negative age means that the clock was set back, so the real age is unknown.
    return ageMs >= 0 && ageMs < REMEMBERED_MS
  }

  /** Waits as long as the retries have already taken, which makes about twelve tries in ten minutes. */
  function isDue({ entry, operation, triedAt }: Kept): boolean {
    const nowMs = deps.now()
    return entry.due_at > nowMs && nowMs - triedAt >= triedAt - operation.log.sent_at
  }

  return {
    record,
    isSent(entry) {
      const found = kept.get(entry.id)
      // Another process made a further attempt, so this one is recorded.
      if (!found || !isRemembered(found) || found.entry.attempts !== entry.attempts) {
        kept.delete(entry.id)
        return false
      }
      found.entry.due_at = entry.due_at
      return true
    },
    async retry() {
      for (const [id, record] of kept) if (!isRemembered(record)) kept.delete(id)
      const due = [...kept.values()].filter(isDue)
      await Promise.all(due.map(({ entry, operation }) => record(entry, operation)))
    },
  }
}
