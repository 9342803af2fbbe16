import { AppError } from '../lib/errors.ts'

/**
 * Runs work on the database for a request that may be sent again.
 * @throws AppError `server is busy` where the database cannot do it now
 */
export async function refuseInOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (isOutage(cause)) throw new AppError('INK_DATABASE_UNAVAILABLE', undefined, { cause })
    throw cause
  }
}

/**
 * Primary result codes of SQLite for trouble that passes: busy, locked, no memory, read-only, I/O error, disk full,
 * file cannot be opened, lock protocol (https://www.sqlite.org/rescode.html).
 */
const SQLITE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14, 15])
/**
 * SQLSTATE of PostgreSQL for the same: connection, resources, intervention and system; a transaction that has to be
 * repeated, a lock that was not to be had, a standby (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const SQLSTATE = /^(08|53|57|58|40001|40P01|55P03|25006)/
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/
/** What the drivers say of a connection that is gone, without a code. */
const GONE =
  /connection (terminated|error)|connection timeout|trying to connect|query read timeout|database is closed/i
const SQLSTATE_LENGTH = 5

/** Whether the database could not do it now, for a reason that has nothing to do with what it was asked. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isOutageCode(codeOf(error)) || GONE.test(error.message) || isOutage(error.cause)
}

/** `node:sqlite` keeps the database's own code beside its general one. */
function codeOf(error: Error): string {
  if ('errcode' in error) return String(error.errcode)
  return 'code' in error ? String(error.code) : ''
}

function isOutageCode(code: string): boolean {
  if (code.length === SQLSTATE_LENGTH && SQLSTATE.test(code)) return true
  // The low byte of an extended result code is the primary one.
  return /^\d{1,4}$/.test(code) ? SQLITE_CODES.has(Number(code) & 0xff) : NETWORK.test(code)
}

/** A store that cannot be moved; the operator reads the message. */
export class MoveError extends Error {
  readonly code = 'INK_MOVE'
}
