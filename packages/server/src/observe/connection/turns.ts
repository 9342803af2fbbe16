/** So many that visits of a busy server begin at once, and so few that a turn takes milliseconds. */
const PER_TURN = 8

/**
 * Spreads work over the turns of the event loop, so that hundreds of clients that come at the same moment do not hold
 * up everybody else: what comes first runs at once, the rest a few pieces in each turn, from each group in rotation.
 */
export interface Turns {
  /** Runs the work now or in a later turn. @param cost in pieces of ordinary size */
  run(group: string, work: () => void, cost?: number): void
}

interface Piece {
  work(): void
  cost: number
}

export function createTurns(perTurn = PER_TURN): Turns {
  /** What waits, by group; the first group is next. */
  const waiting = new Map<string, Piece[]>()
  let left = perTurn
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      left = perTurn
      if (waiting.size > 0) drain()
    })
  }

  function drain(): void {
    schedule()
    for (const [group, pieces] of waiting) {
      const piece = pieces.shift()
      waiting.delete(group)
      // To the end of the rotation, which this loop reaches again while it may go on.
      if (pieces.length > 0) waiting.set(group, pieces)
      left -= piece?.cost ?? 0
      piece?.work()
      if (left <= 0) return
    }
  }

  return {
    run(group, work, cost = 1) {
      schedule()
      if (left > 0 && waiting.size === 0) {
        left -= cost
        work()
        return
      }
      const pieces = waiting.get(group)
      if (pieces) pieces.push({ work, cost })
      else waiting.set(group, [{ work, cost }])
    },
  }
}
