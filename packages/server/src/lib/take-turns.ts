import { setTimeout as pause } from 'node:timers/promises'

/** Runs work when its turn has come. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * One after the other, in the order of asking. Work that takes longer than `patienceMs` goes on, and the next begins beside
 * it, so that nothing waits for work that hangs.
 */
export function takeTurns(patienceMs: number): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const begun = turn
    const result = begun.then(work)
    turn = begun.then(() => endOrPause(result, patienceMs))
    return result
  }
}

async function endOrPause(work: Promise<unknown>, patienceMs: number): Promise<void> {
  const ended = new AbortController()
  const paused = pause(patienceMs, undefined, { signal: ended.signal }).catch(() => {})
  await Promise.race([work.catch(() => {}), paused])
  ended.abort()
}
