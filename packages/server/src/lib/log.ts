import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { loggableError } from './loggable-error.ts'
import { withoutSecrets } from './without-secrets.ts'

/** `strict` logs no text that came from outside, nor any that may quote it. */
export type LogPrivacy = 'normal' | 'strict'

/** Fields whose text is the program's own or the operator's. */
const OWN_TEXT: ReadonlySet<string> = new Set(['route', 'code', 'feeds'])

/** JSON lines on standard error: standard output is for what a command answers. */
export const createLog = (
  level: string,
  privacy: LogPrivacy = 'normal',
  stream: DestinationStream = destination({ fd: 2, sync: true }),
): Logger =>
  pino(
    {
      level,
      base: null,
      formatters: { log: (fields) => loggableFields(fields, privacy === 'normal') },
      // The formatter has done it, and pino would do it once more.
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
