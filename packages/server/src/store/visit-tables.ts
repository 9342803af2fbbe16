import type { Generated } from 'kysely'
import type { DELIVERY, IDENTIFICATION, OUTBOX_ENTRY, RowOf, STICKY_VERDICT } from './columns.ts'

// Tables of visits and of what is sent about them.

export interface IdentificationTable extends RowOf<typeof IDENTIFICATION> {
  id: Generated<number>
}

/** A version of an identification that a refinement replaced. */
export interface VersionTable {
  domain_id: number
  identification_id: number
  ver: number
  score: number
  flags: number
  connection_type: string
  verdict: string
}

/** The ingested body with its context, so that the visit can be scored again. */
export interface SnapshotTable {
  identification_id: number
  domain_id: number
  /** JSON: see `packed-text.ts`. */
  body: Uint8Array
}

export interface StickyVerdictTable extends RowOf<typeof STICKY_VERDICT> {
  id: Generated<number>
}

/** The counts of a subject of visits. */
export interface VelocityTable {
  domain_id: number
  /** Index in `VELOCITY_SUBJECTS`. */
  subject: number
  /** The first eight bytes of a keyed hash of its value. */
  hash: Uint8Array
  /** See `velocity-state.ts`. */
  state: Uint8Array
  /** Time of its latest visit. */
  updated_at: number
  /** The last row of the log whose visits it holds; in the embedded database. */
  logged: Generated<number>
}

/** Visits of a commit whose counts are written later, in the embedded database. */
export interface VelocityLogTable {
  id: number
  domain_id: number
  /** See `logged-visits.ts`. */
  visits: Uint8Array
}

export interface OutboxTable extends RowOf<typeof OUTBOX_ENTRY> {
  id: Generated<number>
}

export interface DeliveryTable extends RowOf<typeof DELIVERY> {
  id: Generated<number>
}
