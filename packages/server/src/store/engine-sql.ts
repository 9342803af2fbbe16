import { type Kysely, type RawBuilder, type SelectQueryBuilder, SqliteAdapter, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** The few words that the engines do not share. */
export interface EngineSql {
  /**
   * The elements of a JSON array as rows, to be named in a `from`. The alias's `value` is an element: `value ->> 'name'`
   * or `value ->> 0` is the text of a member.
   * @param member of the object in which the array is, when it is not all of the JSON
   */
  elements(json: RawBuilder<unknown>, member?: string): RawBuilder<unknown>
  /** Type of a column of bytes. */
  bytes: RawBuilder<unknown>
  /** Has whoever else wants to change these rows wait for the end of the transaction. */
  locking<From extends keyof Schema, Row>(
    rows: SelectQueryBuilder<Schema, From, Row>,
  ): SelectQueryBuilder<Schema, From, Row>
  /** Takes rows that nobody else is taking at this moment. */
  claiming<From extends keyof Schema, Row>(
    rows: SelectQueryBuilder<Schema, From, Row>,
  ): SelectQueryBuilder<Schema, From, Row>
}

const SQLITE: EngineSql = {
  elements: (json, member) =>
    member === undefined ? sql`json_each(${json})` : sql`json_each(${json}, ${sql.lit(`$.${member}`)})`,
  bytes: sql`blob`,
  // Writes run one at a time.
  locking: (rows) => rows,
  claiming: (rows) => rows,
}

/** Visitors may send zero bytes and halves of characters, which PostgreSQL reads in no JSON. */
const readable = (json: RawBuilder<unknown>) =>
  sql`cast(regexp_replace(${json}, ${sql.raw(String.raw`'\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd'`)}, 'g') as json)`

const POSTGRES: EngineSql = {
  elements: (json, member) =>
    member === undefined
      ? sql`json_array_elements(${readable(json)})`
      : sql`json_array_elements(${readable(json)} -> ${sql.lit(member)})`,
  bytes: sql`bytea`,
  locking: (rows) => rows.forUpdate(),
  claiming: (rows) => rows.forUpdate().skipLocked(),
}

export const engineSql = (db: Kysely<Schema>): EngineSql =>
  db.getExecutor().adapter instanceof SqliteAdapter ? SQLITE : POSTGRES

/**
 * The domain's column, to be compared where rows are already named by their IDs. For more than about three IDs SQLite
 * would otherwise prefer an index that begins with the domain, and read every row of it; an expression has no index.
 */
export const DOMAIN_BESIDE_IDS = sql<number>`+domain_id`
