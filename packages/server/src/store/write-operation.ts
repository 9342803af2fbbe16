import type { DeliveryTable, IdentificationTable, OutboxTable } from './schema.ts'

/** A row as it is written: the database gives the id. */
export type NewIdentification = Omit<IdentificationTable, 'id'>
export type NewOutboxEntry = Omit<OutboxTable, 'id'>
export type NewDelivery = Omit<DeliveryTable, 'id'>

/** Writes that share a commit. Each is applied whole or not at all. */
export type WriteOperation =
  | { type: 'identification'; row: NewIdentification; snapshot: string | undefined; outbox: NewOutboxEntry[] }
  | { type: 'delivery'; outboxId: number; log: NewDelivery; retryAt: number | undefined }

export type WriteOutcome =
  /** `outboxIds` are in the order of the entries. */
  | { type: 'stored'; outboxIds: number[] }
  /** The request ID was used before: nothing was written. */
  | { type: 'duplicate' }
  | { type: 'recorded' }
  /** This operation alone could not be written. */
  | { type: 'failed'; message: string }
