import { createHash } from 'node:crypto'

export type MovedValue = number | string | Uint8Array | null
export type MovedRow = Record<string, MovedValue>

/** Values of a row's key. */
export type RowKey = readonly MovedValue[]

/** SHA-256 over every value, the same of the same rows whatever the engine. */
export function digestOf(rows: readonly MovedRow[], columns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(columns.map((column) => textOf(row[column])).join())
  return hash.digest('hex')
}

/** With its length, so that no two rows have one text. */
function textOf(value: MovedValue | undefined): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number') return `n${value}`
  if (typeof value === 'string') return `t${value.length}:${value}`
  return `b${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}`
}

export const keyOf = (row: MovedRow, key: readonly string[]): RowKey =>
  key.map((column) => row[column] ?? null)
