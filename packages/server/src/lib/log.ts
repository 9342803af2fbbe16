import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** JSON lines on standard error: standard output is for what a command answers. */
export const createLog = (
  level: string,
  stream: DestinationStream = destination({ fd: 2, sync: true }),
): Logger => pino({ level, base: null }, stream)
