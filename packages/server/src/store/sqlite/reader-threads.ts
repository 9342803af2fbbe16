import type { Connection } from './connection.ts'
import type { ConnectionSource } from './dialect.ts'

export interface ReaderThreadsOptions {
  open(): Connection
  /** Threads that there may be. */
  max: number
  /** Calls that may wait for one thread before another takes some. */
  together: number
}

/**
 * Connections of one kind of reader. A thread is started when those before it have no room: each costs 50 ms
 * of a processor, which a command that reads two rows and a server without visitors need not spend.
 */
export function readerThreads({
  open,
  max,
  together,
}: ReaderThreadsOptions): ConnectionSource & { close(): Promise<void> } {
  const connections: Connection[] = []

  function started(): Connection {
    const connection = open()
    connections.push(connection)
    return connection
  }

  function withRoom(): Connection {
    const free = connections.find((connection) => connection.pending() < together)
    if (free) return free
    if (connections.length < max) return started()
    return connections.reduce((best, next) => (next.pending() < best.pending() ? next : best))
  }

  return {
    acquire: () => Promise.resolve(withRoom()),
    release() {},
    close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
  }
}
