import type { Kysely } from 'kysely'
import type { Piece } from './pattern-candidates.ts'
import type { Schema } from './schema.ts'

const THE_ONE = 1

interface PieceOptions {
  /** No window reaches further back. */
  sinceMs: number
  settledMs: number
  nowMs: number
  limit: number
}

/**
 * The next identifications in which patterns are looked for, none of them younger than `settledMs`: later
 * evidence still changes those. Undefined when there are none.
 */
export async function nextPiece(
  db: Kysely<Schema>,
  { sinceMs, settledMs, nowMs, limit }: PieceOptions,
): Promise<Piece | undefined> {
  const after = await cursor(db, sinceMs)
  const ids = await db
    .selectFrom('identifications')
    .select(['id', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const settling = ids.findIndex(({ created_at }) => created_at > settledMs && created_at <= nowMs)
  const last = (settling < 0 ? ids : ids.slice(0, settling)).at(-1)
  return last && { after, through: last.id }
}

/** Where the last piece ended; at the first time, before the oldest row that any window reaches. */
async function cursor(db: Kysely<Schema>, sinceMs: number): Promise<number> {
  const stored = await db
    .selectFrom('pattern_cursor')
    .select('identification_id')
    .where('id', '=', THE_ONE)
    .executeTakeFirst()
  const newest = await db
    .selectFrom('identifications')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  // Numbers of erased rows at the end are given out again.
  if (stored) return Math.min(stored.identification_id, newest?.id ?? 0)
  const domains = await db.selectFrom('domains').select('id').execute()
  // Read out of the index alone, and only this once: a second for ten million rows.
  let oldest = Number.POSITIVE_INFINITY
  for (const { id } of domains) {
    const first = await db
      .selectFrom('identifications')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('domain_id', '=', id)
      .where('created_at', '>=', sinceMs)
      .executeTakeFirst()
    oldest = Math.min(oldest, first?.id ?? oldest)
  }
  return Number.isFinite(oldest) ? oldest - 1 : (newest?.id ?? 0)
}

export async function moveCursor(db: Kysely<Schema>, through: number): Promise<void> {
  await db
    .insertInto('pattern_cursor')
    .values({ id: THE_ONE, identification_id: through })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ identification_id: through }))
    .execute()
}
