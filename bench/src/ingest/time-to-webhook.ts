import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { type Summary, summarize } from '../lib/samples.ts'
import { type SentVisit, sendSteadily } from '../load/send-steadily.ts'
import type { VisitTemplate } from '../load/visit-templates.ts'
import type { RemoteReceiver } from '../receive/start-receiver.ts'

const PER_SECOND = 50
const TIMEOUT_MS = 15_000

export interface TimeToWebhook {
  sent: number
  fromPost: Summary
  fromAcknowledgment: Summary
  /** Acknowledged visits without an event within the time limit. */
  missing: number
}

/** Time from the first byte of the POST to the last byte of the event at a receiver in another process. */
export async function timeToWebhook(
  port: number,
  receiver: RemoteReceiver,
  templates: readonly VisitTemplate[],
  seconds: number,
): Promise<TimeToWebhook> {
  const sent = await sendSteadily({ port, templates, perSecond: PER_SECOND, seconds })
  const arrivedAt = await firstArrivals(receiver, sent)
  const arrived = sent.flatMap((visit) => {
    const at = arrivedAt.get(visit.requestId)
    return at === undefined ? [] : [{ ...visit, at }]
  })
  return {
    sent: sent.length,
    fromPost: summarize(arrived.map(({ at, sentAt }) => at - sentAt)),
    fromAcknowledgment: summarize(arrived.map(({ at, acknowledgedAt }) => at - acknowledgedAt)),
    missing: sent.length - arrived.length,
  }
}

async function firstArrivals(
  receiver: RemoteReceiver,
  sent: readonly SentVisit[],
): Promise<Map<string, number>> {
  const until = clockMs() + TIMEOUT_MS
  for (;;) {
    const arrivals = await receiver.arrivals()
    const first = sent.flatMap(({ requestId }) => {
      const at = arrivals.get(requestId)?.[0]
      return at === undefined ? [] : [[requestId, at] as const]
    })
    if (first.length === sent.length || clockMs() > until) return new Map(first)
    await sleep(100)
  }
}
