import { type DemoVerdict, readVerdict } from './demo-api.ts'
import { followVerdict } from './follow-verdict.ts'
import { type Agent, requestIdFrom } from './run-agent.ts'

/** The row exists once the snapshot is acknowledged, so polling earlier would only waste requests. */
const ACKNOWLEDGE_TIMEOUT_MS = 2_000

interface IdentifyOptions {
  agent: Agent
  /** Empty for an anonymous visit. */
  account: string
  /** Aborted when another visit starts. */
  signal: AbortSignal
  show: (visit: Visit) => void
}

/** Runs one identification from the call of the agent to its webhook, and shows each step. */
export async function identifyVisit({ agent, account, signal, show }: IdentifyOptions): Promise<void> {
  let visit: Visit = { ...NEW_VISIT, phase: 'identifying' }
  const update = (change: Partial<Visit>): void => {
    visit = { ...visit, ...change }
    if (!signal.aborted) show(visit)
  }
  const fail = (failure: Failure): void => update({ phase: 'failed', failure, settled: true })

  update({})
  const calledMs = performance.now()
  const calledAtMs = Date.now()
  const requestId = await requestIdFrom(agent, account)
  if (!requestId) return fail('agent_refused')
  const requestIdMs = performance.now() - calledMs
  update({ phase: 'waiting', requestId, timing: { requestId: requestIdMs } })

  let sentMs = requestIdMs
  const stop = new AbortController()
  signal.addEventListener('abort', () => stop.abort(), { once: true })
  const acknowledged = new Promise<void>((resolve) => {
    watchAcknowledgment(requestId, signal, (seen) => {
      resolve()
      sentMs = seen.sentMs - calledMs
      if (isAcknowledged(seen)) {
        return update({ timing: { ...visit.timing, acknowledged: seen.answeredMs - calledMs } })
      }
      if (!isRejection(seen)) return
      stop.abort()
      fail('ingest_refused')
    })
  })
  await Promise.race([acknowledged, pause(ACKNOWLEDGE_TIMEOUT_MS)])

  const progress = followVerdict({
    read: () => readVerdict(requestId, signal),
    now: () => performance.now(),
    sleep: pause,
    signal: stop.signal,
  })
  for await (const step of progress) {
    if (step.kind === 'failed') return fail(step.reason)
    const { webhook } = step.verdict
    const nowMs = performance.now() - calledMs
    const timing: Timing = { ...visit.timing, row: visit.timing.row ?? nowMs }
    if (webhook) {
      const receivedAtMs = Date.parse(webhook.receivedAt)
      timing.webhook = webhookTime({ receivedAtMs, afterMs: webhook.afterMs, calledAtMs, sentMs, nowMs })
    }
    update({ phase: 'scored', verdict: step.verdict, settled: step.settled, timing })
  }
  update({ settled: true })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Without a status, assume that it worked. Status 0 is a failed request. */
const isAcknowledged = ({ status = 200 }: Acknowledgment): boolean => status >= 200 && status < 300
const isRejection = ({ status = 200 }: Acknowledgment): boolean => status >= 400 && status < 500

export type Failure =
  | 'server_unreachable'
  | 'agent_blocked'
  | 'agent_refused'
  | 'ingest_refused'
  | 'not_scored'
  | 'api_key_rejected'
  | 'history_unavailable'

/** Milliseconds since the agent was called, for each step that was measured. */
export interface Timing {
  requestId?: number
  acknowledged?: number
  row?: number
  webhook?: number
}

/** What the page knows about one identification so far. */
export interface Visit {
  phase: 'starting' | 'identifying' | 'waiting' | 'scored' | 'failed'
  requestId?: string
  timing: Timing
  verdict?: DemoVerdict
  /** No more changes will come. */
  settled: boolean
  failure?: Failure
}

export const NEW_VISIT: Visit = { phase: 'starting', timing: {}, settled: false }

interface Acknowledgment {
  /** When the snapshot was sent and when its response was complete, by the page's clock. */
  sentMs: number
  answeredMs: number
  /** Undefined when the browser does not expose it. */
  status?: number
}

/** Reads the timing of the agent's POST from the Performance API, without changing the agent. */
function watchAcknowledgment(
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
      const known = 'responseStatus' in entry ? { status: Number(entry.responseStatus) } : {}
      seen({ sentMs, answeredMs, ...known })
    }
  })
  observer.observe({ type: 'resource', buffered: true })
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
}

const isSnapshot = (url: string, requestId: string): boolean => url.includes(`/snapshot/${requestId}`)

interface WebhookClocks {
  /** When the webhook was received, and how long after the identification, by the server's clock. */
  receivedAtMs: number
  afterMs: number
  /** When the agent was called, by the page's wall clock. */
  calledAtMs: number
  /** When the snapshot was sent, and now, both since that call. */
  sentMs: number
  nowMs: number
}

/**
 * When the webhook arrived, in milliseconds since the agent was called. On one machine both clocks are
 * the same. If they contradict each other, the time is counted from when the snapshot was sent.
 */
export function webhookTime({ receivedAtMs, afterMs, calledAtMs, sentMs, nowMs }: WebhookClocks): number {
  const direct = receivedAtMs - calledAtMs
  const clocksAgree = direct >= sentMs && direct <= nowMs
  return clocksAgree ? direct : Math.min(sentMs + Math.max(afterMs, 0), nowMs)
}
