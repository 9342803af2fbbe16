import { Worker } from 'node:worker_threads'
import type { WriteOperation, WriteOutcome } from '../store.ts'
import type { ForgottenCounts } from '../velocity/velocity-store.ts'
import {
  encodeOperation,
  type Parameter,
  type QueryResult,
  type Request,
  type Response,
  type WorkerData,
} from './messages.ts'

/** An error of SQLite; `code` is its extended result code. */
class SqliteError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** A connection in a thread of its own. It answers calls in their order. */
export interface SqliteConnection {
  query(sql: string, parameters: readonly Parameter[]): Promise<QueryResult>
  commit(operations: WriteOperation[]): Promise<WriteOutcome[]>
  /** See `VelocityStore`. */
  settle(forgotten: ForgottenCounts | undefined): Promise<null>
  /** Number of calls without an answer. */
  pending(): number
  close(): Promise<void>
}

/** Gives out connections; each `acquire` needs a `release`. */
export interface ConnectionSource {
  acquire(): Promise<SqliteConnection>
  release(connection: SqliteConnection): void
}

type WithoutId<Message> = Message extends { id: number } ? Omit<Message, 'id'> : never

/** The writer works on one message while the next is queued, so neither side idles. */
const WRITER_MESSAGES_MAX = 2

/** @param answered called when an answer arrives, before who waits for it */
export function openConnection(data: WorkerData, answered: () => void = () => {}): SqliteConnection {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: data })
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  /**
   * Waking the thread costs more than most queries. Calls are therefore sent together after all ready sockets have
   * been served; calls made while the thread works are sent with its answer.
   */
  let outgoing: Request[] = []
  let messages = 0
  const messagesMax = data.readOnly ? 1 : WRITER_MESSAGES_MAX
  let failure: Error | undefined

  function fail(error: Error): void {
    failure = error
    for (const call of calls.values()) call.reject(error)
    calls.clear()
  }

  worker.on('message', (responses: Response[]) => {
    messages -= 1
    answered()
    if (outgoing.length > 0) setImmediate(send)
    for (const response of responses) {
      const call = calls.get(response.id)
      calls.delete(response.id)
      if (response.ok) call?.resolve(response.result)
      else call?.reject(new SqliteError(response.message, response.code))
    }
  })
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => fail(failure ?? new Error('the database is closed')))

  function call<Result>(message: WithoutId<Request>): Promise<Result> {
    if (failure) return Promise.reject(failure)
    lastId += 1
    const answer = Promise.withResolvers<unknown>()
    calls.set(lastId, answer)
    outgoing.push({ ...message, id: lastId } as Request)
    if (outgoing.length === 1 && messages < messagesMax) setImmediate(send)
    return answer.promise as Promise<Result>
  }

  function send(): void {
    if (outgoing.length === 0 || messages >= messagesMax) return
    const requests = outgoing
    outgoing = []
    messages += 1
    worker.postMessage(requests)
  }

  return {
    query: (sql, parameters) => call<QueryResult>({ type: 'query', sql, parameters }),
    commit: (operations) =>
      call<WriteOutcome[]>({ type: 'commit', operations: operations.map(encodeOperation) }),
    settle: (forgotten) => call<null>({ type: 'settle', forgotten }),
    pending: () => calls.size,
    async close() {
      if (failure) return
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      await call<null>({ type: 'close' })
      await exited
    },
  }
}

interface ReaderPoolOptions {
  open(): SqliteConnection
  /** Maximum number of connections. */
  max: number
}

/**
 * A pool of reader connections. It opens a connection only when the others are busy: each costs 50 ms of CPU time,
 * which a command that reads two rows or a server without visitors does not need.
 */
export function readerPool({ open, max }: ReaderPoolOptions): ConnectionSource & { close(): Promise<void> } {
  const connections: SqliteConnection[] = []

  function openAnother(): SqliteConnection {
    const connection = open()
    connections.push(connection)
    return connection
  }

  function leastBusy(): SqliteConnection {
    const free = connections.find((connection) => connection.pending() === 0)
    if (free) return free
    if (connections.length < max) return openAnother()
    return connections.reduce((best, next) => (next.pending() < best.pending() ? next : best))
  }

  return {
    acquire: () => Promise.resolve(leastBusy()),
    release() {},
    close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
  }
}

/** Access to the writer's connection: transactions hold it exclusively, batches share it. */
interface WriterLock extends ConnectionSource {
  /** Runs one batch. Batches that overlap share the lock. */
  shared<Result>(use: (connection: SqliteConnection) => Promise<Result>): Promise<Result>
}

/**
 * A fair lock in order of arrival, so that the statements of two transactions never mix. A batch is a transaction in a
 * single message and may therefore follow another under the same lock, but only while nobody waits: a steady load of
 * batches never starves a change of keys.
 */
export function writerLock(connection: SqliteConnection): WriterLock {
  const queue: PromiseWithResolvers<SqliteConnection>[] = []
  let isLocked = false
  let holder: { connection: SqliteConnection; users: number } | undefined

  function acquire(): Promise<SqliteConnection> {
    if (!isLocked) {
      isLocked = true
      return Promise.resolve(connection)
    }
    const turn = Promise.withResolvers<SqliteConnection>()
    queue.push(turn)
    return turn.promise
  }

  function release(): void {
    const next = queue.shift()
    if (next) next.resolve(connection)
    else isLocked = false
  }

  async function acquireShared() {
    if (holder && queue.length === 0) {
      holder.users += 1
      return holder
    }
    holder = { connection: await acquire(), users: 1 }
    return holder
  }

  return {
    acquire,
    release,
    async shared(use) {
      const mine = await acquireShared()
      try {
        return await use(mine.connection)
      } finally {
        mine.users -= 1
        if (mine.users === 0) {
          if (holder === mine) holder = undefined
          release()
        }
      }
    },
  }
}
