import { AppError } from '../lib/errors.ts'

/**
 * Runs work that the client may repeat after an outage.
 * @throws AppError `INK_DATABASE_UNAVAILABLE` in an outage; other errors as they are
 */
export async function withOutageError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (isOutage(cause)) throw new AppError('INK_DATABASE_UNAVAILABLE', 'server is busy', { cause })
    throw cause
  }
}

/** SQLSTATE of a transaction that waited for another one which waited for it. */
const DEADLOCK = '40P01'

/** Runs a transaction, and once more where PostgreSQL ended it because a commit and it waited for each other. */
export async function againAfterDeadlock<Result>(transact: () => Promise<Result>): Promise<Result> {
  try {
    return await transact()
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== DEADLOCK) throw error
    return transact()
  }
}

/**
 * Primary result codes of SQLite for temporary failures: busy, locked, out of memory, read-only, I/O error, disk full,
 * cannot open, lock protocol (https://www.sqlite.org/rescode.html).
 */
const SQLITE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14, 15])
/**
 * Temporary failures in PostgreSQL by SQLSTATE: the classes for connections, authorization (a password or a name that was
 * changed), resources, operator intervention and system errors, then a missing database, serialization failure, deadlock,
 * lock not available, read-only transaction and a transaction that was idle or ran for too long
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const SQLSTATE = /^(08|28|53|57|58|3D000|40001|40P01|55P03|25006|25P03|25P04)/
const SQLSTATE_LENGTH = 5
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/
/** The drivers report a lost connection without a code. */
const LOST_CONNECTION =
  /connection (terminated|error)|connection timeout|trying to connect|query read timeout|database is closed/i

/** Whether an error, or a cause of it, is a temporary failure of the database and not the fault of the statement. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isOutageCode(codeOf(error)) || LOST_CONNECTION.test(error.message) || isOutage(error.cause)
}

/** `node:sqlite` has a general `code` and SQLite's own code in `errcode`. */
function codeOf(error: Error): string {
  if ('errcode' in error) return String(error.errcode)
  return 'code' in error ? String(error.code) : ''
}

function isOutageCode(code: string): boolean {
  if (code.length === SQLSTATE_LENGTH && SQLSTATE.test(code)) return true
  // The low byte of an extended result code is the primary code.
  return /^\d{1,4}$/.test(code) ? SQLITE_CODES.has(Number(code) & 0xff) : NETWORK.test(code)
}
