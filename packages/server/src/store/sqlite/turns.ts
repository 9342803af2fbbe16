import type { Connection } from './connection.ts'
import type { ConnectionSource } from './dialect.ts'

export interface Turns extends ConnectionSource {
  /** Whether anybody waits for a turn. */
  isContended(): boolean
}

/** One user of a connection after the other, so that the statements of two transactions never mix. */
export function oneAtATime(connection: Connection): Turns {
  const queue: PromiseWithResolvers<Connection>[] = []
  let taken = false
  return {
    acquire() {
      if (!taken) {
        taken = true
        return Promise.resolve(connection)
      }
      const turn = Promise.withResolvers<Connection>()
      queue.push(turn)
      return turn.promise
    },
    release() {
      const next = queue.shift()
      if (next) next.resolve(connection)
      else taken = false
    },
    isContended: () => queue.length > 0,
  }
}

/**
 * Lets batches, each a transaction of one message, follow each other within one turn. As soon as somebody
 * else waits the turn takes no more of them, so that load never locks out a change of keys.
 */
export function shareTurns(turns: Turns) {
  interface Turn {
    connection: Connection
    users: number
  }
  let current: Turn | undefined

  async function enter(): Promise<Turn> {
    if (current && !turns.isContended()) {
      current.users += 1
      return current
    }
    current = { connection: await turns.acquire(), users: 1 }
    return current
  }

  return async <Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const turn = await enter()
    try {
      return await use(turn.connection)
    } finally {
      turn.users -= 1
      if (turn.users === 0) {
        if (current === turn) current = undefined
        turns.release(turn.connection)
      }
    }
  }
}
