import { AppError } from '../lib/errors.ts'

/** The last entry of a page, by the numbers that its list is ordered by. Clients treat the text as opaque. */
export type Position = readonly number[]

export const writeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/**
 * @param size count of numbers that the list is ordered by
 * @throws AppError `INK_INVALID_CURSOR`
 */
export function readCursor(text: string | undefined, size: number): Position | undefined {
  if (text === undefined) return undefined
  const position = parse(Buffer.from(text, 'base64url').toString())
  if (position?.length !== size) throw new AppError('INK_INVALID_CURSOR')
  return position
}

function parse(json: string): number[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every(Number.isSafeInteger) ? value : undefined
  } catch {
    return undefined
  }
}
