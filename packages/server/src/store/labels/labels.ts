import { LABEL_SUBJECTS, type LabelSubject } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import type { LabelTable } from '../decision-tables.ts'
import { checkEntryLimit } from '../lists/entry-limit.ts'
import { hasPart } from '../lists/list-entries.ts'
import type { Schema } from '../schema.ts'
import type { StoredLabel } from './labels-of.ts'

type LabelRow = Selectable<LabelTable>

/** With its subject in normal form. */
export type NewLabel = Omit<StoredLabel, 'id' | 'author'>

export interface LabelFilter {
  kind?: string | undefined
  type?: LabelSubject | undefined
  /** A part of the subject's value. */
  text?: string | undefined
}

/** Of a statement. */
const LABELS_AT_ONCE = 500

const readLabel = (row: LabelRow): StoredLabel => ({
  id: row.id,
  kind: row.kind,
  subject: {
    type: LABEL_SUBJECTS.find((known) => known === row.subject_type) ?? 'request',
    value: row.subject_value,
  },
  source: row.source,
  atMs: row.at,
  note: row.note,
  author: row.author,
})

/** Labels of a domain. Every method takes the domain first. */
export const labelStore = (db: Kysely<Schema>) => ({
  /** Newest first; with `after` oldest first instead, for files. */
  async page(
    domainId: number,
    { kind, type, text }: LabelFilter,
    { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
  ): Promise<StoredLabel[]> {
    let rows = db.selectFrom('labels').selectAll().where('domain_id', '=', domainId).limit(limit)
    if (kind !== undefined) rows = rows.where('kind', '=', kind)
    if (type !== undefined) rows = rows.where('subject_type', '=', type)
    if (text !== undefined) rows = rows.where(hasPart('subject_value', text))
    if (before !== undefined) rows = rows.where('id', '<', before)
    if (after !== undefined) rows = rows.where('id', '>', after)
    return (await rows.orderBy('id', after === undefined ? 'desc' : 'asc').execute()).map(readLabel)
  },

  /** Those about these subjects of one type. */
  async about(domainId: number, type: LabelSubject, values: readonly string[]): Promise<StoredLabel[]> {
    const found: LabelRow[] = []
    for (let start = 0; start < values.length; start += LABELS_AT_ONCE)
      found.push(
        ...(await db
          .selectFrom('labels')
          .selectAll()
          .where('domain_id', '=', domainId)
          .where('subject_type', '=', type)
          .where('subject_value', 'in', values.slice(start, start + LABELS_AT_ONCE))
          .execute()),
      )
    return found.map(readLabel)
  },

  /**
   * Saves labels; one of the same kind, subject and source gets the new time and note. Needs a transaction.
   * @returns the stored labels in order, and how many were there
   * @throws AppError `INK_TOO_MANY_ENTRIES`
   */
  async save(
    domainId: number,
    labels: readonly NewLabel[],
    { author, nowMs }: { author: string; nowMs: number },
  ): Promise<{ labels: StoredLabel[]; replaced: number }> {
    const last = await lastId(db, domainId)
    const saved: StoredLabel[] = []
    for (let start = 0; start < labels.length; start += LABELS_AT_ONCE) {
      const rows = await db
        .insertInto('labels')
        .values(
          labels.slice(start, start + LABELS_AT_ONCE).map(({ kind, subject, source, atMs, note }) => ({
            domain_id: domainId,
            kind,
            subject_type: subject.type,
            subject_value: subject.value,
            source,
            at: atMs,
            note,
            author,
            created_at: nowMs,
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['domain_id', 'subject_type', 'subject_value', 'kind', 'source'])
            .doUpdateSet(({ ref }) => ({
              at: ref('excluded.at'),
              note: ref('excluded.note'),
              author: ref('excluded.author'),
            })),
        )
        .returningAll()
        .execute()
      saved.push(...rows.map(readLabel))
    }
    const replaced = saved.filter(({ id }) => id <= last).length
    if (replaced < saved.length) await checkEntryLimit(db, 'labels', domainId)
    return { labels: saved, replaced }
  },

  /** Undefined if the domain has no such label. */
  async remove(domainId: number, id: number): Promise<StoredLabel | undefined> {
    const row = await db
      .deleteFrom('labels')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row && readLabel(row)
  },

  async removeAbout(domainId: number, type: LabelSubject, values: readonly string[]): Promise<void> {
    if (values.length > 0)
      await db
        .deleteFrom('labels')
        .where('domain_id', '=', domainId)
        .where('subject_type', '=', type)
        .where('subject_value', 'in', values)
        .execute()
  },
})

async function lastId(db: Kysely<Schema>, domainId: number): Promise<number> {
  const { last } = await db
    .selectFrom('labels')
    .where('domain_id', '=', domainId)
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return (last as number | null) ?? 0
}
