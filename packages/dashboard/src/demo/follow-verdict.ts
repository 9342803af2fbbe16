import type { DemoVerdict, VerdictAnswer } from './demo-api.ts'

export type Progress =
  | { kind: 'scored'; verdict: DemoVerdict; settled: boolean }
  | {
      kind: 'failed'
      reason: 'not_scored' | 'api_key_rejected' | 'server_unreachable' | 'history_unavailable'
    }

export interface FollowDeps {
  read: () => Promise<VerdictAnswer>
  now: () => number
  sleep: (ms: number) => Promise<void>
  /** Ends it without a further word. */
  signal: AbortSignal
}

/** Rows take up to 3 s, late network checks up to 10 s. */
const GIVE_UP_MS = 20_000
/** How long after its row an identification may still be refined and its webhook be on the way. */
const REFINED_WITHIN_MS = 12_000
const OVER_LIMIT_WAIT_MS = 1_500

/** Asks often at first, to measure well, and stays far under the History limit of 15 a second. */
function pauseMs(elapsedMs: number): number {
  if (elapsedMs < 1_500) return 150
  return elapsedMs < 5_000 ? 400 : 1_500
}

/** Follows one identification until its webhook is there or nothing more can come. */
export async function* followVerdict({ read, now, sleep, signal }: FollowDeps): AsyncGenerator<Progress> {
  const startMs = now()
  let rowMs: number | undefined
  while (!signal.aborted) {
    const answer = await read()
    if (signal.aborted) return
    const elapsedMs = now() - startMs
    if (answer.kind === 'scored') {
      rowMs ??= elapsedMs
      const settled = answer.verdict.webhook !== undefined || elapsedMs - rowMs >= REFINED_WITHIN_MS
      yield { kind: 'scored', verdict: answer.verdict, settled }
      if (settled) return
    } else if (answer.kind === 'api_key_rejected') {
      yield { kind: 'failed', reason: answer.kind }
      return
    } else if (rowMs === undefined ? elapsedMs >= GIVE_UP_MS : elapsedMs - rowMs >= REFINED_WITHIN_MS) {
      if (rowMs === undefined) yield { kind: 'failed', reason: reasonOf(answer.kind) }
      return
    }
    await sleep(answer.kind === 'rate_limited' ? OVER_LIMIT_WAIT_MS : pauseMs(elapsedMs))
  }
}

function reasonOf(kind: Exclude<VerdictAnswer['kind'], 'scored' | 'api_key_rejected'>) {
  if (kind === 'not_scored') return 'not_scored'
  return kind === 'unreachable' ? 'server_unreachable' : 'history_unavailable'
}
