import { Worker } from 'node:worker_threads'
import type { WriteOperation, WriteOutcome } from '../write-operation.ts'
import { encodeOperation } from './encoded-operation.ts'
import type { Parameter, QueryResult, Request, Response, WorkerData } from './protocol.ts'

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
