import { zstdDecompressSync } from 'node:zlib'
import type { Kysely, Selectable } from 'kysely'
import { type DeliveryRow, deliveryStore } from './deliveries.ts'
import type { IdentificationRow } from './identifications.ts'
import type { OutboxRow } from './outbox.ts'
import type { Schema, VersionTable } from './schema.ts'

export type VersionRow = Selectable<VersionTable>

/** What is kept of an identification beside its row. */
export interface IdentificationParts {
  /** Earlier versions, oldest first. */
  versions: VersionRow[]
  /** JSON of what came in; undefined when it is not kept. */
  snapshot: string | undefined
  deliveries: DeliveryRow[]
  pending: OutboxRow[]
}

export async function identificationParts(
  db: Kysely<Schema>,
  { id, domain_id, request_id }: IdentificationRow,
): Promise<IdentificationParts> {
  const [versions, snapshot, deliveries, pending] = await Promise.all([
    db
      .selectFrom('versions')
      .selectAll()
      .where('domain_id', '=', domain_id)
      .where('identification_id', '=', id)
      .orderBy('ver')
      .execute(),
    db
      .selectFrom('snapshots')
      .select('body')
      .where('domain_id', '=', domain_id)
      .where('identification_id', '=', id)
      .executeTakeFirst(),
    // Markers share the nil UUID, which is stored as NULL: nothing tells their events apart.
    request_id === null ? [] : deliveryStore(db).ofRequest(domain_id, request_id),
    request_id === null
      ? []
      : db
          .selectFrom('outbox')
          .selectAll()
          .where('domain_id', '=', domain_id)
          .where('request_id', '=', request_id)
          .orderBy('id')
          .execute(),
  ])
  return {
    versions,
    snapshot: snapshot && zstdDecompressSync(snapshot.body).toString(),
    deliveries,
    pending,
  }
}
