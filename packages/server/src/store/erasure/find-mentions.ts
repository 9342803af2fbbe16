import { type Kysely, type SqlBool, sql } from 'kysely'
import { wholeText } from '../assistants/proposals.ts'
import { hasPart } from '../lists/list-entries.ts'
import type { Schema } from '../schema.ts'

/** What operators wrote, by the table where it is. */
export type MentionTable =
  | 'list_entries'
  | 'labels'
  | 'cases'
  | 'case_events'
  | 'saved_views'
  | 'decision_rules'

interface Mention {
  table: MentionTable
  id: string
}

/** Notes alone: what an event keeps of a visit, a finding or a decision goes with that. */
const IS_NOTE = sql<SqlBool>`request_id is null and reference is null`
const EACH = sql<SqlBool>`1 = 1`

/** @param id tells rows apart */
const TEXTS = [
  { table: 'list_entries', id: sql`id`, column: 'reason', where: EACH },
  { table: 'labels', id: sql`id`, column: 'note', where: EACH },
  { table: 'cases', id: sql`id`, column: 'title', where: EACH },
  { table: 'case_events', id: sql`case_id`, column: 'body', where: IS_NOTE },
  { table: 'saved_views', id: sql`id`, column: 'name', where: EACH },
  { table: 'saved_views', id: sql`id`, column: 'search', where: EACH },
  { table: 'decision_rules', id: sql`rule_id`, column: 'name', where: EACH },
  { table: 'decision_rules', id: sql`rule_id`, column: 'condition', where: EACH },
] as const

/**
 * Texts of operators in which one of these values is written. An erasure leaves them: they are about other subjects, and
 * copies of them are in what was decided since. Of a case's notes and of a rule's versions one counts.
 */
export async function mentionsOf(
  db: Kysely<Schema>,
  domainId: number,
  values: readonly string[],
): Promise<Mention[]> {
  const found = new Map<string, Mention>()
  for (const value of new Set(values.flatMap((one) => [one, encodeURIComponent(one)]))) {
    const sought = wholeText(value)
    for (const { table, id, column, where } of TEXTS) {
      const { rows } = await sql<{ id: string | number; text: string }>`
        select ${id} as id, ${sql.ref(column)} as text from ${sql.table(table)}
        where domain_id = ${domainId} and ${where} and ${hasPart(column, value)}`.execute(db)
      for (const row of rows)
        if (sought.test(row.text.toLowerCase()))
          found.set(`${table} ${row.id}`, { table, id: String(row.id) })
    }
  }
  return [...found.values()]
}
