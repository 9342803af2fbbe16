import { namesAccount, namesOne } from '@inkling/sdk'
import { uuidToText } from '../../lib/uuid.ts'
import type { StoredPatternRow } from '../../store/pattern-rows.ts'
import type { PatternRow } from './pattern.ts'

const SCORE_MAX = 100

/** Connection types whose country is not where the visitor is. Hosting networks are reported as `proxy`. */
const HIDING: readonly string[] = ['vpn', 'proxy', 'tor', 'privacy_relay', 'browser_vpn_proxy']

export const readRow = (row: StoredPatternRow): PatternRow => ({
  id: row.id,
  atMs: row.created_at,
  deviceId: one(row.device_id),
  visitorId: one(row.visitor_id),
  cookieId: one(row.cookie_id),
  account: namesAccount(row.user_hid) ? row.user_hid : undefined,
  host: row.host,
  ip: row.ip ?? undefined,
  country: row.country ?? undefined,
  hidden: HIDING.includes(row.connection_type),
  score: row.score > SCORE_MAX ? undefined : row.score,
  leakedIp: row.webrtc_leak_ip ?? undefined,
})

function one(bytes: Uint8Array): string | undefined {
  const id = uuidToText(bytes)
  return namesOne(id) ? id : undefined
}
