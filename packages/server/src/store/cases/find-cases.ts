import { type Kysely, sql } from 'kysely'
import { hasPart } from '../lists/list-entries.ts'
import type { Schema } from '../schema.ts'
import type { CaseRow } from './cases.ts'

/** Titles have no index; of so many cases in the order of an index they are read. */
const TITLES_READ_MAX = 1_000

/** Cases with a text in their title: among those that are due first, then among those that were closed last. */
export async function casesTitled(
  db: Kysely<Schema>,
  domainId: number,
  text: string,
  limit: number,
): Promise<CaseRow[]> {
  const ofDomain = db.selectFrom('cases').selectAll().where('domain_id', '=', domainId).limit(TITLES_READ_MAX)
  // In the words of the partial indexes.
  const active = ofDomain.where(sql<boolean>`status <> 'closed'`).orderBy('due_at').orderBy('id')
  const closed = ofDomain
    .where(sql<boolean>`status = 'closed'`)
    .orderBy('closed_at', 'desc')
    .orderBy('id', 'desc')
  const [first, then] = await Promise.all(
    [active, closed].map((rows) =>
      db.selectFrom(rows.as('some')).selectAll().where(hasPart('title', text)).limit(limit).execute(),
    ),
  )
  return [...(first ?? []), ...(then ?? [])].slice(0, limit)
}

/** Cases about a subject, the newest first. */
export const casesAbout = (
  db: Kysely<Schema>,
  domainId: number,
  { type, value }: { type: string; value: string },
  limit: number,
): Promise<CaseRow[]> =>
  db
    .selectFrom('cases')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('subject_type', '=', type)
    .where('subject_value', '=', value)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
