/** A webhook as it arrived at the demo's receiver. */
export interface Delivery {
  receivedAtMs: number
  headers: Record<string, string>
  /** The raw body as text. */
  body: string
  verified: boolean
}

const KEPT = 100

export interface DeliveryLog {
  add(requestId: string, delivery: Delivery): void
  find(requestId: string): Delivery | undefined
}

/** The last deliveries by request ID, in memory. */
export function deliveryLog(): DeliveryLog {
  const byRequest = new Map<string, Delivery>()
  return {
    add(requestId, delivery) {
      const known = byRequest.get(requestId)
      // The first signed one stays: a repeat adds nothing, and anyone can post an unsigned one.
      if (known?.verified) return
      byRequest.delete(requestId)
      byRequest.set(requestId, delivery)
      const oldest = byRequest.keys().next().value
      if (byRequest.size > KEPT && oldest !== undefined) byRequest.delete(oldest)
    },
    find: (requestId) => byRequest.get(requestId),
  }
}
