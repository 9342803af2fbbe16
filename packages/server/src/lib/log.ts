import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** `strict` logs no text that came from outside, nor any that may quote it. */
export type LogPrivacy = 'normal' | 'strict'

/** Fields with texts of the program or of the operator, which are safe to log. */
const OWN_TEXT: ReadonlySet<string> = new Set(['route', 'code', 'feeds'])

/** Bytes of lines that wait until standard error takes them again; further ones are dropped. */
const WAITING_BYTES_MAX = 1_000_000

/** Standard error may be a file on a full disk: a line that cannot be written must not end the server. */
function standardError(): DestinationStream {
  const stream = destination({ fd: 2, sync: true, maxLength: WAITING_BYTES_MAX })
  stream.on('error', () => {})
  return stream
}

/** Logs JSON lines on standard error; standard output is for the output of commands. */
export const createLog = (
  level: string,
  privacy: LogPrivacy = 'normal',
  stream: DestinationStream = standardError(),
): Logger =>
  pino(
    {
      level,
      base: null,
      formatters: { log: (fields) => loggableFields(fields, privacy === 'normal') },
      // The formatter has serialized it already.
      serializers: { err: (error: unknown) => error },
    },
    stream,
  )

const loggableFields = (fields: Record<string, unknown>, withText: boolean): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      if (value instanceof Error) return [[name, loggableError(value, withText)]]
      if (typeof value === 'number' || typeof value === 'boolean' || OWN_TEXT.has(name))
        return [[name, value]]
      return withText ? [[name, cleaned(value)]] : []
    }),
  )

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleaned(part)]))
}

interface LoggableError {
  type: string
  code?: string
  message?: string
  stack?: string
  cause?: LoggableError
}

const CAUSES_MAX = 4

/**
 * The loggable parts of an error: named ones only, because errors of databases and parsers carry rows and bodies.
 * @param withText whether to include its message, which may quote a request
 */
function loggableError(error: Error, withText: boolean, depth = 0): LoggableError {
  const { name, message, cause } = error
  const stack = withText ? withoutSecrets(error.stack ?? '') : framesOf(error)
  return {
    type: name,
    ...('code' in error && error.code !== undefined && { code: String(error.code) }),
    ...(withText && { message: withoutSecrets(message) }),
    ...(stack && { stack }),
    ...(cause instanceof Error && depth < CAUSES_MAX && { cause: loggableError(cause, withText, depth + 1) }),
  }
}

/** The frames after the message, which may itself contain lines that look like frames. */
function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message)
  if (start < 0) return ''
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
}

/** Patterns of keys, tokens and credentials, and their replacements. */
const SECRETS: readonly [RegExp, string][] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[^\s"',]+/gi, '$1 [credential]'],
  [/\bsec_[a-z0-9]{8}(-[a-z0-9]{8}){2}/gi, '[key]'],
  [/\bwhsec_[0-9a-f]{32}/gi, '[key]'],
  // Of accounts, sealed verdicts and assistants.
  [/\b(?:usr|ivk|inka|inkr)_[\w.-]{16,}/g, '[key]'],
  // Public and Secret Keys.
  [/\b[0-9a-f]{32}\b/gi, '[key]'],
  [/\/\/[^\s/@"']+@/g, '//[credential]@'],
  // Queries carry the keys of feeds and endpoints.
  [/\?[^\s"'?=]+=[^\s"']*/g, '?[query]'],
]

/** Some expressions take time with the square of a text's length, and visitors write parts of some errors. */
const TEXT_MAX = 8_192

const lastSpace = (text: string): number => Math.max(0, text.lastIndexOf(' '), text.lastIndexOf('\n'))

/** Replaces secrets in a text, which is cut at a space: half of a secret would not look like one. */
function withoutSecrets(text: string): string {
  const start = text.slice(0, TEXT_MAX)
  const kept = text.length > TEXT_MAX ? `${start.slice(0, lastSpace(start))} …` : text
  return SECRETS.reduce((cleaned, [pattern, instead]) => cleaned.replace(pattern, instead), kept)
}

/**
 * Throttles a log message: the first one is written at once, further ones once per interval with their number, so that
 * an outage under load does not flood the log.
 * @param write gets the latest message, and how many there were since the last write
 * @param clock monotonic milliseconds
 */
export function throttledLog<Message>(
  intervalMs: number,
  write: (message: Message, times: number) => void,
  clock = (): number => performance.now(),
): (message: Message) => void {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  let times = 0
  return (message) => {
    times += 1
    if (clock() < quietUntilMs) return
    quietUntilMs = clock() + intervalMs
    const since = times
    times = 0
    write(message, since)
  }
}
