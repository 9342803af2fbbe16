export interface Acknowledgment {
  /** When the snapshot was sent and when its answer was there, on the page's clock. */
  sentMs: number
  answeredMs: number
  /** Undefined when the browser does not tell. */
  status?: number
}

/** The browser's own measurement of the agent's POST, without touching the agent. */
export function watchAcknowledgment(
  requestId: string,
  signal: AbortSignal,
  seen: (acknowledgment: Acknowledgment) => void,
): void {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('resource')) return
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceResourceTiming) || !isSnapshot(entry.name, requestId)) continue
      observer.disconnect()
      const { startTime: sentMs, responseEnd: answeredMs } = entry
      // Missing in Safari before 17.4.
      const told = 'responseStatus' in entry ? { status: Number(entry.responseStatus) } : {}
      seen({ sentMs, answeredMs, ...told })
    }
  })
  observer.observe({ type: 'resource', buffered: true })
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
}

const isSnapshot = (url: string, requestId: string): boolean => url.includes(`/snapshot/${requestId}`)
