import { AppError } from '../../lib/errors.ts'
import { isOutage } from '../outages.ts'

interface Place {
  /** `postgres://…` */
  url: string
  /** The setting or the option that has the URL. */
  setting: string
}

/**
 * Says which database does not answer, without the user and the password of its URL.
 * @returns the error itself if it is about something else
 */
export function unreachable(error: unknown, { url, setting }: Place): unknown {
  if (!(error instanceof Error) || !isOutage(error)) return error
  const text = `the database at ${setting} (${placeOf(url)}) ${problemOf(error)}`
  return new AppError('INK_DATABASE_UNAVAILABLE', text, { cause: error })
}

const PORT = '5432'

function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  // The folder of a socket.
  return searchParams.get('host') ?? `${hostname || 'localhost'}:${port || PORT}`
}

const SQLSTATE = /^[0-9A-Z]{5}$/
/** Of these the message names the user. */
const AUTHORIZATION = /^28/

function problemOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (!SQLSTATE.test(code) || !('severity' in error)) return `does not answer: ${reasonOf(error, code)}`
  if (AUTHORIZATION.test(code)) return `refuses the user, the password or this machine (${code})`
  return `cannot be used: ${error.message} (${code})`
}

/** A name with several addresses fails with an error for each, and no message of its own. */
const reasonOf = (error: Error, code: string): string =>
  error.message || (error instanceof AggregateError ? error.errors.map(String).join(', ') : code)
