import { holdLock } from './hold-lock.ts'

/**
 * A tab may see what another one wrote to localStorage a little late, as browsers pass it between
 * processes in their own time; the lock is kept until then.
 */
const SETTLE_MS = 50

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs the work while no other call runs its own: in the order of the calls within a page, and one
 * page of the origin at a time where the browser has locks.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(async () => {
    const release = await holdLock('inkling:turn', 'exclusive')
    try {
      return await work()
    } finally {
      if (release) setTimeout(release, SETTLE_MS)
    }
  })
  lastTurn = turn.catch(() => undefined)
  return turn
}
