/** Wakes those who wait for the identification of a request ID when this process stores it. */
export interface VisitArrivals {
  stored(domainId: number, requestId: string): void
  /** Resolves when it is stored, or after that time. */
  next(domainId: number, requestId: string): { within(ms: number): Promise<void>; cancel(): void }
}

export function createVisitArrivals(): VisitArrivals {
  const waiting = new Map<string, Set<() => void>>()
  const keyOf = (domainId: number, requestId: string): string => `${domainId} ${requestId.toLowerCase()}`

  return {
    stored(domainId, requestId) {
      for (const wake of waiting.get(keyOf(domainId, requestId)) ?? []) wake()
    },
    next(domainId, requestId) {
      const key = keyOf(domainId, requestId)
      const arrival = Promise.withResolvers<void>()
      const wakes = waiting.get(key) ?? new Set()
      waiting.set(key, wakes.add(arrival.resolve))
      const cancel = (): void => {
        wakes.delete(arrival.resolve)
        if (wakes.size === 0 && waiting.get(key) === wakes) waiting.delete(key)
      }
      return {
        cancel,
        async within(ms) {
          const timer = setTimeout(arrival.resolve, ms)
          await arrival.promise
          clearTimeout(timer)
          cancel()
        },
      }
    },
  }
}
