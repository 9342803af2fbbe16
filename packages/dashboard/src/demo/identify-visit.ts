import { readVerdict } from './demo-api.ts'
import { followVerdict } from './follow-verdict.ts'
import { type Agent, requestIdFrom } from './run-agent.ts'
import { type Failure, NEW_VISIT, type Timing, type Visit } from './visit.ts'
import { type Acknowledgment, watchAcknowledgment } from './watch-acknowledgment.ts'
import { webhookMoment } from './webhook-moment.ts'

/** The row is there when the snapshot is acknowledged, so asking earlier only costs requests. */
const ACKNOWLEDGED_WITHIN_MS = 2_000

export interface IdentifyOptions {
  agent: Agent
  /** Empty for an anonymous visit. */
  account: string
  /** Ends this visit when another begins. */
  signal: AbortSignal
  show: (visit: Visit) => void
}

/** One identification from the agent's call to its webhook, shown as it becomes known. */
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
      if (!isRefusal(seen)) return
      stop.abort()
      fail('ingest_refused')
    })
  })
  await Promise.race([acknowledged, pause(ACKNOWLEDGED_WITHIN_MS)])

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
      timing.webhook = webhookMoment({ receivedAtMs, afterMs: webhook.afterMs, calledAtMs, sentMs, nowMs })
    }
    update({ phase: 'scored', verdict: step.verdict, settled: step.settled, timing })
  }
  update({ settled: true })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A browser that does not tell the status gets the benefit of the doubt; 0 is a failed request. */
const isAcknowledged = ({ status = 200 }: Acknowledgment): boolean => status >= 200 && status < 300
const isRefusal = ({ status = 200 }: Acknowledgment): boolean => status >= 400 && status < 500
