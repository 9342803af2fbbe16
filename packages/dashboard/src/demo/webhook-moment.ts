export interface WebhookClocks {
  /** When the receiver had it and how long after the identification, on the server's clock. */
  receivedAtMs: number
  afterMs: number
  /** The page's wall clock when the agent was called. */
  calledAtMs: number
  /** Since that call: when the snapshot was sent, and now. */
  sentMs: number
  nowMs: number
}

/**
 * When the webhook arrived, in milliseconds since the agent was called. On one machine the two clocks
 * are one. Where they contradict each other, the snapshot's departure stands in for its arrival.
 */
export function webhookMoment({ receivedAtMs, afterMs, calledAtMs, sentMs, nowMs }: WebhookClocks): number {
  const direct = receivedAtMs - calledAtMs
  const clocksAgree = direct >= sentMs && direct <= nowMs
  return clocksAgree ? direct : Math.min(sentMs + Math.max(afterMs, 0), nowMs)
}
