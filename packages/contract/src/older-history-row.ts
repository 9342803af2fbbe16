import { z } from 'zod'
import { ScoreDetail } from './history-row.ts'
import { Uuid } from './identifiers.ts'

/** A row of the older path-credential history. New clients read HistoryRow. */
export const OlderHistoryRow = z.object({
  request_id: Uuid.describe('One identification, created in the browser'),
  device_id: Uuid.describe('Survives cleared cookies and private windows; nil when unusable'),
  visitor_id: Uuid.describe('Sticky to the device; nil when unusable'),
  user_hid: z.string().describe('Account identifier as passed to the agent'),
  ip: z.string().describe('IPv4, or 0.0.0.0 when none is known'),
  os: z.string().describe('Operating system, for display'),
  country: z.string().describe('English country name, or empty when unknown'),
  score: z.int().describe('Risk Score 0-100; above 100 (999) means rate limited'),
  details: z.array(ScoreDetail).describe('What the score consists of, scored entries first'),
  created_at: z.string().describe('`YYYY-MM-DD HH:MM:SS.mmm` in UTC; older rows can lack the milliseconds'),
})
export type OlderHistoryRow = z.infer<typeof OlderHistoryRow>

/** Answer of the older history search; `total` counts every match, not only this page. */
export const OlderHistoryPage = z.object({
  total: z.int().nonnegative().describe('Number of all matches, not only of this page'),
  data: z.array(OlderHistoryRow).describe('Rows, newest first; empty when nothing matched'),
})
export type OlderHistoryPage = z.infer<typeof OlderHistoryPage>
