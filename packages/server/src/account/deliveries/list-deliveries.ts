import { deliveryStore } from '../../store/outbox/outbox.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { findEndpoint } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentDelivery } from './present-delivery.ts'

export const listDeliveries: Handler<'listDeliveries'> = async ({ params, query }, { store }) => {
  const { domain, endpoint } = await findEndpoint(store, params)
  const [beforeId] = readCursor(query.cursor, 1) ?? []
  const page = { failedOnly: query.outcome === 'failed', beforeId, limit: query.limit }
  const rows = await deliveryStore(store.reads).list(domain.id, endpoint.id, page)
  const last = rows.length === query.limit ? rows.at(-1) : undefined
  return { data: rows.map(presentDelivery), next: last ? writeCursor([last.id]) : null }
}
