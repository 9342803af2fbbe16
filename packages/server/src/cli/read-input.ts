import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { z } from 'zod'
import { AppError, type ErrorCode } from '../lib/errors.ts'

/** The text of a file; `-` is standard input. */
export const readInput = (file: string): Promise<string> => read(file, 'INK_COMMAND')

/**
 * What the JSON of a file says; `-` is standard input.
 * @throws AppError with this code, which says in the words of the schema what is wrong
 */
export async function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  code: ErrorCode,
): Promise<z.output<Schema>> {
  const text = await read(file, code)
  const name = file === '-' ? 'standard input' : file
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new AppError(code, `${name} is not JSON`, { cause })
  }
  const { success, data, error } = schema.safeParse(json)
  if (!success) throw new AppError(code, `${name} cannot be used:\n  ${problemsOf(error)}`)
  return data
}

/** Each problem on a line. */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('\n  ')

const read = (file: string, code: ErrorCode): Promise<string> =>
  (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8')).catch((cause: Error) => {
    throw new AppError(code, cause.message, { cause })
  })
