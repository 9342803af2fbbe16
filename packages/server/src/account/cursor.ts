import { AppError } from '../lib/errors.ts'

/** Where a page ended: numbers by which its list is ordered. Callers only hand it back. */
export type Position = readonly number[]

export const writeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/**
 * @param size how many numbers the list is ordered by
 * @throws AppError for what no page answered
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
