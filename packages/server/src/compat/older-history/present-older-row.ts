import type { OlderHistoryRow } from '@inkling/contract'
import { presentTime } from '../../history/present-row.ts'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { readScoreDetails } from '../../store/identifications/identification-row.ts'
import { type IdentificationRow, requestIdText } from '../../store/identifications/identifications.ts'

/** Each outgoing field by name: a new column stays in. */
export const presentOlderRow = (row: IdentificationRow): OlderHistoryRow => ({
  request_id: requestIdText(row.request_id),
  device_id: uuidToText(row.device_id),
  visitor_id: uuidToText(row.visitor_id),
  user_hid: row.user_hid,
  ip: ipv4ToText(row.ip),
  os: row.os,
  country: row.country ?? '',
  score: row.score,
  details: readScoreDetails(row.verdict),
  created_at: presentTime(row.created_at),
})
