import { type Kysely, sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Schema } from '../schema.ts'

/** Entries of lists and labels, each, of a domain: the former, and the latter in back-tests, are kept in memory. */
const ENTRIES_MAX = 100_000
const NAMES = { list_entries: 'list entries', labels: 'labels' }

/**
 * Called after rows were added, in their transaction.
 * @throws AppError `INK_TOO_MANY_ENTRIES`
 */
export async function checkEntryLimit(
  db: Kysely<Schema>,
  table: keyof typeof NAMES,
  domainId: number,
  max = ENTRIES_MAX,
): Promise<void> {
  const ofDomain = sql`from ${sql.table(table)} where domain_id = ${domainId}`
  // The ends of an index, instead of all of it: there are no more rows than numbers between them.
  const { rows } = await sql<{ span: number | null }>`
    select (select max(id) ${ofDomain}) - (select min(id) ${ofDomain}) + 1 as span`.execute(db)
  if ((rows[0]?.span ?? 0) <= max) return
  const counted = await sql<{ count: number }>`select count(*) as count ${ofDomain}`.execute(db)
  if ((counted.rows[0]?.count ?? 0) > max)
    throw new AppError('INK_TOO_MANY_ENTRIES', `a domain has at most ${max} ${NAMES[table]}; remove some`)
}
