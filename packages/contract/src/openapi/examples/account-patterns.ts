import type { AccountAnswer, PatternFinding } from '../../account/index.ts'
import { ROW } from './identification.ts'

export const FINDING: PatternFinding = {
  id: 4,
  pattern: 'many_accounts_on_device',
  entity_type: 'device_id',
  entity_value: ROW.device_id,
  grade: 'suspicious',
  count: 7,
  suspicious_from: 6,
  dangerous_from: 11,
  average_score: 30,
  first_at: '2026-05-30T08:12:00.000Z',
  last_at: '2026-06-01T12:00:00.412Z',
  judged_at: '2026-06-01T12:03:00.000Z',
  resolved_at: null,
}

const once = (value: string) => [{ value, identifications: 1 }]

const DETAIL: AccountAnswer<'getPattern'> = {
  finding: FINDING,
  window_seconds: 2_592_000,
  values: {
    device_id: once(ROW.device_id),
    visitor_id: once(ROW.visitor_id),
    cookie_id: once(ROW.cookie_id),
    user_hid: once(ROW.user_hid),
    ip: once(ROW.ip),
    country: once(ROW.country),
  },
  rows: [ROW],
}

export const PATTERN_EXAMPLES = {
  listPatterns: { answer: { data: [FINDING], next: null } },
  exportPatterns: {},
  getPattern: { answer: DETAIL },
}
