import { Worker } from 'node:worker_threads'
import type { WriteOperation, WriteOutcome } from '../store.ts'
import type { ConnectionSource } from './dialect.ts'
import {
  encodeOperation,
  type Parameter,
  type QueryResult,
  type Request,
  type Response,
  type WorkerData,
} from './messages.ts'

/** A statement that the database refused; `code` is SQLite's extended result code. */
export class DatabaseError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** A database connection on its own thread. Calls are answered in the order they are made. */
export interface Connection {
  query(sql: string, parameters: readonly Parameter[]): Promise<QueryResult>
  commit(operations: WriteOperation[]): Promise<WriteOutcome[]>
  /** Calls that wait for an answer. */
  pending(): number
  close(): Promise<void>
}

type Unnumbered<Message> = Message extends { id: number } ? Omit<Message, 'id'> : never

/** While the writer works the next batch lies ready, so that neither side waits for the other. */
const WRITES_UNDER_WAY_MAX = 2

export function openConnection(data: WorkerData): Connection {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: data })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  /**
   * A message wakes the thread, which costs more than most queries: calls leave together once all sockets that
   * are ready have been served, and those that come while the thread works wait for it to answer.
   */
  let outgoing: Request[] = []
  let underWay = 0
  const underWayMax = data.readOnly ? 1 : WRITES_UNDER_WAY_MAX
  let broken: Error | undefined

  function fail(error: Error): void {
    broken = error
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }

  worker.on('message', (responses: Response[]) => {
    underWay -= 1
    if (outgoing.length > 0) setImmediate(send)
    for (const response of responses) {
      const call = waiting.get(response.id)
      waiting.delete(response.id)
      if (response.ok) call?.resolve(response.result)
      else call?.reject(new DatabaseError(response.message, response.code))
    }
  })
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => fail(broken ?? new Error('the database is closed')))

  function call<Result>(message: Unnumbered<Request>): Promise<Result> {
    if (broken) return Promise.reject(broken)
    lastId += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(lastId, answer)
    outgoing.push({ ...message, id: lastId } as Request)
    if (outgoing.length === 1 && underWay < underWayMax) setImmediate(send)
    return answer.promise as Promise<Result>
  }

  function send(): void {
    if (outgoing.length === 0 || underWay >= underWayMax) return
    const requests = outgoing
    outgoing = []
    underWay += 1
    worker.postMessage(requests)
  }

  return {
    query: (sql, parameters) => call<QueryResult>({ type: 'query', sql, parameters }),
    commit: (operations) =>
      call<WriteOutcome[]>({ type: 'commit', operations: operations.map(encodeOperation) }),
    pending: () => waiting.size,
    async close() {
      if (broken) return
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      await call<null>({ type: 'close' })
      await exited
    },
  }
}

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
