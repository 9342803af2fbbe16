import type { Delivery } from '@inkling/contract/account'
import { uuidToText } from '../../lib/uuid.ts'
import type { DeliveryRow } from '../../store/outbox/outbox.ts'
import { presentTime } from '../present-time.ts'

export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  request_id: uuidToText(row.request_id),
  event_id: uuidToText(row.event_id),
  event_type: row.event_type,
  attempt: row.attempt,
  sent_at: presentTime(row.sent_at),
  duration_ms: row.duration_ms,
  status: row.status,
  error: row.error,
  body: Buffer.from(row.body).toString(),
})
