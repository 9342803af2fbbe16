/** So many that visits of a busy server begin at once, and so few that a turn takes milliseconds. */
const PER_TURN = 8

/**
 * Spreads work over the turns of the event loop, so that hundreds of clients that come at the same moment do not hold
 * up everybody else: what comes first runs at once, the rest a few pieces in each turn, with the groups in rotation.
 */
export interface Turns {
  /** Runs the work now or in a later turn. @param cost in pieces of ordinary size */
  run(group: string, work: () => void, cost?: number): void
  /**
   * The same for work that leads to many pieces: one in a turn, after the pieces of ordinary size, and not while such
   * pieces of its group wait.
   */
  runLarge(group: string, work: () => void): void
}

interface Piece {
  work(): void
  cost: number
}

/** What waits, by group; the first group is next. */
type Waiting = Map<string, Piece[]>

export function createTurns(perTurn = PER_TURN): Turns {
  const small: Waiting = new Map()
  const large: Waiting = new Map()
  let left = perTurn
  let isLargeLeft = true
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      left = perTurn
      isLargeLeft = true
      if (small.size + large.size > 0) drain()
    })
  }

  function drain(): void {
    schedule()
    for (const group of small.keys()) {
      const piece = takeFrom(small, group)
      left -= piece?.cost ?? 0
      piece?.work()
      if (left <= 0) break
    }
    for (const group of large.keys()) {
      if (small.has(group)) continue
      isLargeLeft = false
      takeFrom(large, group)?.work()
      return
    }
  }

  return {
    run(group, work, cost = 1) {
      schedule()
      if (left > 0 && small.size === 0) {
        left -= cost
        work()
      } else add(small, group, { work, cost })
    },
    runLarge(group, work) {
      schedule()
      if (isLargeLeft && large.size === 0 && !small.has(group)) {
        isLargeLeft = false
        work()
      } else add(large, group, { work, cost: 0 })
    },
  }
}

function add(waiting: Waiting, group: string, piece: Piece): void {
  const pieces = waiting.get(group)
  if (pieces) pieces.push(piece)
  else waiting.set(group, [piece])
}

/** The group's next piece. The group goes to the end of the rotation, which a loop over it reaches again. */
function takeFrom(waiting: Waiting, group: string): Piece | undefined {
  const pieces = waiting.get(group) ?? []
  const piece = pieces.shift()
  waiting.delete(group)
  if (pieces.length > 0) waiting.set(group, pieces)
  return piece
}
