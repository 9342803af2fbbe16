import type { ClientBase } from 'pg'
import { turnsOf } from './worker-turns.ts'

/** Tables whose rows have numbers of a sequence, which jobs follow. */
const NUMBERED = [
  'identifications',
  'outbox',
  'devices',
  'unlisted_keys',
  'sticky_verdicts',
  'deliveries',
  'decisions',
] as const
type Numbered = (typeof NUMBERED)[number]
type Counts = Partial<Record<Numbered, number>>

/** Numbers for new rows; null where the row gets its number when it is inserted. */
export interface Numbers {
  next(table: Numbered): number | null
}
export interface DrawnNumbers extends Numbers {
  /** @throws RangeError when there are no more */
  next(table: Numbered): number
}

export const NO_NUMBERS: Numbers = { next: () => null }

/** Draws numbers before the rows are inserted, so that outcomes can name them. */
export async function drawNumbers(client: ClientBase, counts: Counts): Promise<DrawnNumbers> {
  const { rows } = await client.query<Record<Numbered, number[] | null>>({
    name: 'draw numbers',
    text: DRAW,
    values: NUMBERED.map((table) => counts[table] ?? 0),
  })
  const left = new Map(NUMBERED.map((table) => [table, (rows[0]?.[table] ?? []).values()]))
  return {
    next(table) {
      const number = left.get(table)?.next().value
      if (number === undefined) throw new RangeError(`too few numbers were drawn for ${table}`)
      return number
    },
  }
}

/** Sequences are on the coordinator, so rows that are inserted on shards need their numbers before. */
export const numbersOnShards = (client: ClientBase, counts: Counts): Promise<Numbers> =>
  turnsOf(client) ? drawNumbers(client, counts) : Promise.resolve(NO_NUMBERS)

const DRAW = `select ${NUMBERED.map(
  (table, index) =>
    `(select array_agg(nextval('${table}_id_seq')) from generate_series(1, $${index + 1}::int)) as ${table}`,
).join(', ')}`
