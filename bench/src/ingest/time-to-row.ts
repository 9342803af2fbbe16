import { findRow } from '../inkling/find-row.ts'
import { clockMs } from '../lib/clock.ts'
import { type Summary, summarize } from '../lib/samples.ts'
import { sendSteadily } from '../load/send-steadily.ts'
import type { VisitTemplate } from '../load/visit-templates.ts'

const PER_SECOND = 20
const TIMEOUT_MS = 5_000

export interface TimeToRow {
  sent: number
  fromAcknowledgment: Summary
  fromPost: Summary
}

/**
 * Time from the acknowledgment of an identification until History returns it by its request ID.
 * @param historyPort of another node, if there is one
 */
export async function timeToRow(
  port: number,
  historyPort: number,
  apiKey: string,
  templates: readonly VisitTemplate[],
  seconds: number,
): Promise<TimeToRow> {
  const fromAcknowledgment: number[] = []
  const fromPost: number[] = []
  const sent = await sendSteadily({
    port,
    templates,
    perSecond: PER_SECOND,
    seconds,
    async acknowledged({ requestId, sentAt, acknowledgedAt }) {
      while ((await findRow(historyPort, apiKey, requestId)) === 0)
        if (clockMs() - acknowledgedAt > TIMEOUT_MS)
          throw new Error(`${requestId} does not appear in History`)
      const seenAt = clockMs()
      fromAcknowledgment.push(seenAt - acknowledgedAt)
      fromPost.push(seenAt - sentAt)
    },
  })
  return {
    sent: sent.length,
    fromAcknowledgment: summarize(fromAcknowledgment),
    fromPost: summarize(fromPost),
  }
}
