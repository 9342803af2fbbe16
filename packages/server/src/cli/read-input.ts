import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { AppError } from '../lib/errors.ts'

/** The text of a file; `-` is standard input. */
export const readInput = (file: string): Promise<string> =>
  (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8')).catch((cause: Error) => {
    throw new AppError('INK_COMMAND', cause.message, { cause })
  })
