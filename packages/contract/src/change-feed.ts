import { z } from 'zod'
import { ChangedDecision, StoredDecision } from './decision-changed.ts'
import { HistoryRow } from './history-row.ts'

/** Left out of lines unless the operator asks for them: they name a person, or may. */
export const PERSONAL_COLUMNS = {
  user_hid: true,
  ip: true,
  score_details: true,
  web_rtc_ip: true,
  scanner_web_rtc_ip: true,
  webrtc_leak_ip: true,
  entry_url: true,
} as const satisfies Partial<Record<keyof HistoryRow, true>>

const place = {
  key: z.string().describe('Names the identification or the decision. Of the lines with one key, keep one'),
  sequence: z
    .int()
    .positive()
    .describe(
      'Never used twice. Of the lines with one key, the one with the greatest sequence is the latest',
    ),
  site: z.string().describe('Registered domain that it belongs to; empty if that was removed meanwhile'),
}

const IdentificationLine = z.object({
  kind: z.literal('identification').describe('What the line is about'),
  ...place,
  identification: HistoryRow.partial(PERSONAL_COLUMNS).describe(
    'As in History. Left out unless `CHANGE_FEED_PERSONAL` is set: addresses, `user_hid`, `entry_url` and the texts of `score_details`',
  ),
})

const DecisionLine = z.object({
  kind: z.literal('decision').describe('What the line is about'),
  ...place,
  decision: StoredDecision.partial({ account: true, reasons: true })
    .extend({ changed: ChangedDecision.partial({ reasons: true }).nullable() })
    .describe(
      'As it was answered, with what it would be since later evidence in `changed`. `account` and `reasons`, which name the values of lists, are left out unless `CHANGE_FEED_PERSONAL` is set',
    ),
})

const RemovalLine = z.object({
  kind: z
    .literal('removal')
    .describe('What has this key was erased. With an identification go the decisions about its request ID'),
  ...place,
})

/** A line of the change feed. */
export const ChangeFeedLine = z
  .discriminatedUnion('kind', [IdentificationLine, DecisionLine, RemovalLine])
  .describe(
    'A line of the change feed: an identification or a decision as it is at that time, or its erasure',
  )
export type ChangeFeedLine = z.infer<typeof ChangeFeedLine>
