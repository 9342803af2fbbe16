import { type Kysely, type Selectable, sql } from 'kysely'
import type { DeliveryTable, Schema } from './schema.ts'

export type DeliveryRow = Selectable<DeliveryTable>

/** In the words of the index on failures, so that it is used. */
const FAILED = sql<boolean>`status is null or status < 200 or status >= 300`

/** What was sent, and what became of it. */
export const deliveryStore = (db: Kysely<Schema>) => ({
  /**
   * One endpoint's sends, newest first.
   * @param beforeId only earlier ones than this
   */
  list(
    domainId: number,
    endpointId: number,
    page: { failedOnly: boolean; beforeId: number | undefined; limit: number },
  ): Promise<DeliveryRow[]> {
    let sends = db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('endpoint_id', '=', endpointId)
    if (page.failedOnly) sends = sends.where(sql<boolean>`(${FAILED})`)
    if (page.beforeId !== undefined) sends = sends.where('id', '<', page.beforeId)
    return sends.orderBy('id', 'desc').limit(page.limit).execute()
  },

  /** Every send that told of an identification, oldest first. */
  ofRequest: (domainId: number, requestId: Uint8Array): Promise<DeliveryRow[]> =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute(),
})
