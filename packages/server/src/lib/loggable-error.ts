import { withoutSecrets } from './without-secrets.ts'

export interface LoggableError {
  type: string
  code?: string
  message?: string
  stack?: string
  cause?: LoggableError
}

const CAUSES_MAX = 4

/**
 * What a log tells of an error: named parts only, because errors of databases and parsers carry rows and bodies.
 * @param withText whether its own words are told, which may quote what was sent
 */
export function loggableError(error: Error, withText: boolean, depth = 0): LoggableError {
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

/** The stack after the message, which may hold lines that look like frames. */
function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message)
  if (start < 0) return ''
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
}
