import type { DemoVerdict, VerdictAnswer } from './demo-api.ts'

export type Progress =
  | { kind: 'scored'; verdict: DemoVerdict; settled: boolean }
  | {
      kind: 'failed'
      reason: 'not_scored' | 'api_key_rejected' | 'server_unreachable' | 'history_unavailable'
    }

interface FollowDeps {
  read: () => Promise<VerdictAnswer>
  now: () => number
  sleep: (ms: number) => Promise<void>
  /** Stops without another result. */
  signal: AbortSignal
}

/** Rows take up to 3 s, late network checks up to 10 s. */
const TIMEOUT_MS = 20_000
/** How long after its row an identification can still be refined and its webhook still arrive. */
const REFINEMENT_MS = 12_000
const RATE_LIMIT_DELAY_MS = 1_500

/** Polls often at first, for precise timing, but well below the History limit of 15 requests a second. */
function pollDelayMs(elapsedMs: number): number {
  if (elapsedMs < 1_500) return 150
  return elapsedMs < 5_000 ? 400 : 1_500
}

/** Polls one identification until its webhook has arrived or nothing can change any more. */
export async function* followVerdict({ read, now, sleep, signal }: FollowDeps): AsyncGenerator<Progress> {
  const startMs = now()
  let rowMs: number | undefined
  while (!signal.aborted) {
    const answer = await read()
    if (signal.aborted) return
    const elapsedMs = now() - startMs
    if (answer.kind === 'scored') {
      rowMs ??= elapsedMs
      const settled = answer.verdict.webhook !== undefined || elapsedMs - rowMs >= REFINEMENT_MS
      yield { kind: 'scored', verdict: answer.verdict, settled }
      if (settled) return
    } else if (answer.kind === 'api_key_rejected') {
      yield { kind: 'failed', reason: answer.kind }
      return
    } else if (rowMs === undefined ? elapsedMs >= TIMEOUT_MS : elapsedMs - rowMs >= REFINEMENT_MS) {
      if (rowMs === undefined) yield { kind: 'failed', reason: reasonOf(answer.kind) }
      return
    }
    await sleep(answer.kind === 'rate_limited' ? RATE_LIMIT_DELAY_MS : pollDelayMs(elapsedMs))
  }
}

function reasonOf(kind: Exclude<VerdictAnswer['kind'], 'scored' | 'api_key_rejected'>) {
  if (kind === 'not_scored') return 'not_scored'
  return kind === 'unreachable' ? 'server_unreachable' : 'history_unavailable'
}
