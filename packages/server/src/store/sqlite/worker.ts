import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Writer } from './apply-operations.ts'
import type { QueryResult, Request, Response, WorkerData } from './messages.ts'

/** A database thread with one connection. SQLite blocks its thread, which therefore must not be the one that serves HTTP. */

/** Prepared statements that a connection keeps. */
const STATEMENTS_MAX = 200
/** How long a writer waits for the transaction of another process, such as the command line. */
const BUSY_TIMEOUT_MS = 10_000
/** The same at the end, where a reader of another process must not hold up the stop. */
const CLOSE_TIMEOUT_MS = 1_000
/** The writer needs random pages of every index; a reader uses few. */
const CACHE_KIB = { writer: 65_536, reader: 16_384 }
/** 16 MB. */
const LOG_PAGES = 4_000

function openDatabase({ file, readOnly }: WorkerData): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS })
  if (!readOnly) {
    db.exec('pragma journal_mode = wal')
    // Syncs the log at each commit, so that acknowledged data survives a power failure and not only a crash.
    db.exec('pragma synchronous = full')
    // A page that changes often is moved from the log to the file once in so many pages. The usual thousand are full
    // after some ten batches.
    db.exec(`pragma wal_autocheckpoint = ${LOG_PAGES}`)
    db.exec('pragma foreign_keys = on')
    // What is deleted is overwritten, so that an erased identifier is not left in the file.
    db.exec('pragma secure_delete = on')
  }
  db.exec(`pragma cache_size = -${readOnly ? CACHE_KIB.reader : CACHE_KIB.writer}`)
  db.exec('pragma temp_store = memory')
  return db
}

/** Moves everything from the log into the database file, which then stands alone unless another process has it open. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec(`pragma busy_timeout = ${CLOSE_TIMEOUT_MS}`)
    db.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // As on a full disk: the next start reads the log.
  }
}

function createQuery(db: DatabaseSync) {
  const statements = new Map<string, StatementSync>()

  function prepared(sql: string): StatementSync {
    const cached = statements.get(sql)
    if (cached) return cached
    const oldest = statements.keys().next()
    if (statements.size >= STATEMENTS_MAX && !oldest.done) statements.delete(oldest.value)
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  return ({ sql, parameters }: Extract<Request, { type: 'query' }>): QueryResult => {
    const statement = prepared(sql)
    if (statement.columns().length > 0) {
      const rows = statement.all(...parameters)
      return { rows, changes: rows.length, insertId: 0 }
    }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], changes: Number(changes), insertId: Number(lastInsertRowid) }
  }
}

async function serve(port: MessagePort, data: WorkerData): Promise<void> {
  const db = openDatabase(data)
  const query = createQuery(db)
  // A reader starts in half the time without the code of the writer.
  const writing = data.readOnly ? undefined : await import('./apply-operations.ts')
  // Prepared at the first commit, because the migrations have created the tables by then.
  let writer: Writer | undefined

  function openWriter(): Writer {
    if (!writing) throw new Error('a reader cannot write')
    writer ??= writing.createWriter(db)
    return writer
  }

  function answer(request: Request): Response {
    try {
      if (request.type === 'query') return { id: request.id, ok: true, result: query(request) }
      if (request.type === 'commit')
        return { id: request.id, ok: true, result: openWriter().apply(request.operations) }
      if (request.type === 'settle') {
        openWriter().settleVelocity(request.forgotten)
        return { id: request.id, ok: true, result: null }
      }
      if (!data.readOnly) checkpoint(db)
      db.close()
      return { id: request.id, ok: true, result: null }
    } catch (error) {
      return { id: request.id, ok: false, message: String(error), code: errorCode(error) }
    }
  }

  port.on('message', (requests: Request[]) => {
    port.postMessage(requests.map(answer))
    if (requests.some(({ type }) => type === 'close')) port.close()
  })
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && error.errcode !== undefined) return String(error.errcode)
  return 'code' in error ? String(error.code) : undefined
}

if (parentPort) await serve(parentPort, workerData)
