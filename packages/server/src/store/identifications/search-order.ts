import { type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import type { IdentificationTable } from '../visit-tables.ts'

export interface Order {
  by: 'time' | 'score'
  direction: 'asc' | 'desc'
}

/** Values of a row's sort columns: `created_at, id` or `score, created_at, id`. */
export type SearchPosition = readonly number[]

export type Rows = SelectQueryBuilder<Schema, 'identifications', object>

export const positionSize = ({ by }: Order): number => (by === 'time' ? 2 : 3)

/** Compares positions as the rows are sorted. */
export const inDirection =
  ({ direction }: Order) =>
  (one: SearchPosition, other: SearchPosition): number => {
    const index = one.findIndex((value, at) => value !== other[at])
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    return direction === 'asc' ? difference : 0 - difference
  }

/** Position of the last row that may be scanned; undefined if fewer rows remain. */
export async function scanEnd(
  indexed: Rows,
  order: Order,
  scanMax: number,
): Promise<SearchPosition | undefined> {
  const row = await indexed
    .select(columnsOf(order))
    .offset(scanMax - 1)
    .limit(1)
    .executeTakeFirst()
  return row && positionOf(row, order)
}

const columnsOf = ({ by }: Order) =>
  by === 'time' ? (['created_at', 'id'] as const) : (['score', 'created_at', 'id'] as const)

export const inOrder = (rows: Rows, order: Order): Rows =>
  columnsOf(order).reduce<Rows>((sorted, column) => sorted.orderBy(column, order.direction), rows)

/** Comparison of row values, which both engines answer with a seek in the index. */
export const isAfter = (order: Order, position: SearchPosition) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`>` : sql`<`} (${values(position)})`

export const isUpTo = (order: Order, position: SearchPosition) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`<=` : sql`>=`} (${values(position)})`

const references = (order: Order) => sql.join(columnsOf(order).map((column) => sql.ref(column)))
const values = (position: SearchPosition) => sql.join(position.map((value) => sql.val(value)))

export const positionOf = (
  row: Pick<IdentificationTable, 'score' | 'created_at'> & { id: unknown },
  order: Order,
): SearchPosition => columnsOf(order).map((column) => Number(row[column]))
