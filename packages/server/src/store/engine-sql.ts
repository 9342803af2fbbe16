import { type Kysely, type RawBuilder, type SelectQueryBuilder, SqliteAdapter, sql } from 'kysely'
import { COUNTS_LOCK, LOCKS } from './postgres/locks.ts'
import type { Schema } from './schema.ts'

/** SQL that differs between the engines. */
export interface EngineSql {
  /** Lets commits of identifications wait until the transaction ends. Call it before anything else in it. */
  holdCommits(transaction: Kysely<Schema>): Promise<unknown>
  /** Lets commits of these domains wait with counting until the transaction ends. */
  holdCounts(transaction: Kysely<Schema>, domainIds: readonly number[]): Promise<unknown>
  /**
   * A JSON array as a table expression for `from`. Its column `value` is one element: `value ->> 'name'` and
   * `value ->> 0` are texts of the element's members.
   * @param member member of the JSON object that holds the array; without it the JSON itself is the array
   */
  elements(json: RawBuilder<unknown>, member?: string): RawBuilder<unknown>
  /**
   * A column of a condition beside row IDs, which no index on the column is to replace. With more than about three IDs
   * SQLite prefers an index that starts with the domain and reads all of its rows; a unary plus excludes the column from
   * the choice of an index (https://www.sqlite.org/optoverview.html, section on unary "+").
   */
  besideIds(column: string): RawBuilder<number>
  /**
   * Runs reads that see the database as of one moment.
   * @param subquery how far those who change what is read have come
   * @param run gets its value for conditions: as a number where a planner needs to know it. It may be run again
   */
  atOneMoment<Result>(
    db: Kysely<Schema>,
    subquery: RawBuilder<number>,
    run: (db: Kysely<Schema>, value: RawBuilder<number>) => Promise<Result>,
  ): Promise<Result>
  /** Frees request IDs of removed visits where a table of their own keeps them. */
  freeRequests(
    transaction: Kysely<Schema>,
    domainId: number,
    requestIds: readonly Uint8Array[],
  ): Promise<unknown>
  /** Removes the counts of a domain that are not written yet, where they are written behind. */
  dropUnwrittenCounts(transaction: Kysely<Schema>, domainId: number): Promise<unknown>
  /** Column type for bytes. */
  bytes: RawBuilder<unknown>
  /** Locks the rows until the transaction ends. */
  locking<From extends keyof Schema, Row>(
    rows: SelectQueryBuilder<Schema, From, Row>,
  ): SelectQueryBuilder<Schema, From, Row>
  /** Locks the rows and skips those that another transaction has locked. */
  claiming<From extends keyof Schema, Row>(
    rows: SelectQueryBuilder<Schema, From, Row>,
  ): SelectQueryBuilder<Schema, From, Row>
}

const SQLITE: EngineSql = {
  // SQLite runs one write transaction at a time.
  holdCommits: () => Promise.resolve(),
  holdCounts: () => Promise.resolve(),
  elements: (json, member) =>
    member === undefined ? sql`json_each(${json})` : sql`json_each(${json}, ${sql.lit(`$.${member}`)})`,
  // A statement is one moment, and two of them may be on different threads.
  atOneMoment: (db, subquery, run) => run(db, sql`(${subquery})`),
  besideIds: (column) => sql`+${sql.ref(column)}`,
  freeRequests: () => Promise.resolve(),
  async dropUnwrittenCounts(transaction, domainId) {
    await sql`delete from velocity_log where domain_id = ${domainId}`.execute(transaction)
    // The thread that holds them begins anew.
    await sql`update velocity_writer set writer = 0`.execute(transaction)
  },
  bytes: sql`blob`,
  locking: (rows) => rows,
  claiming: (rows) => rows,
}

/** A backslash of a text is written as two in JSON, so an escape begins after an even number of them. */
const UNREADABLE = sql.raw(String.raw`'(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd'`)

/** Replaces escaped zero bytes and lone surrogates, which visitors can send and PostgreSQL refuses in JSON. */
const readable = (json: RawBuilder<unknown>) => sql`cast(regexp_replace(${json}, ${UNREADABLE}, 'g') as json)`

interface Reached {
  value: number
  isCluster: boolean
}

/** After that many a cluster that counts without a pause is read as it is. */
const MOMENTS_MAX = 5

const POSTGRES: EngineSql = {
  holdCommits: (transaction) =>
    sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.commits)})`.execute(transaction),
  async holdCounts(transaction, domainIds) {
    // In the order of commits.
    for (const id of domainIds.toSorted((a, b) => a - b))
      await sql`select pg_advisory_xact_lock(${sql.lit(COUNTS_LOCK)}, ${sql.lit(id)})`.execute(transaction)
  },
  elements: (json, member) =>
    member === undefined
      ? sql`json_array_elements(${readable(json)})`
      : sql`json_array_elements(${readable(json)} -> ${sql.lit(member)})`,
  // Citus asks the worker of the domain alone where the domain is compared as it is, and knows no subquery before it plans.
  async atOneMoment(db, subquery, run) {
    const reached = async (from: Kysely<Schema>): Promise<Reached> => {
      const { rows } = await sql<Reached>`select (${subquery}) as value,
        to_regclass('pg_dist_partition') is not null as "isCluster"`.execute(from)
      return rows[0] ?? { value: 0, isCluster: false }
    }
    for (let tries = 1; ; tries += 1) {
      const { result, before } = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (moment) => {
          const first = await reached(moment)
          return { result: await run(moment, sql.lit(first.value)), before: first }
        })
      // The transaction is as of one moment on each machine, but another one on every worker.
      if (!before.isCluster || tries === MOMENTS_MAX || (await reached(db)).value === before.value)
        return result
    }
  },
  besideIds: (column) => sql.ref(column),
  async freeRequests(transaction, domainId, requestIds) {
    for (const table of ['request_ids', 'recent_requests'])
      await sql`delete from ${sql.id(table)}
        where domain_id = ${domainId} and request_id in (${sql.join(requestIds)})`.execute(transaction)
  },
  dropUnwrittenCounts: () => Promise.resolve(),
  bytes: sql`bytea`,
  locking: (rows) => rows.forUpdate(),
  claiming: (rows) => rows.forUpdate().skipLocked(),
}

export const engineSql = (db: Kysely<Schema>): EngineSql =>
  db.getExecutor().adapter instanceof SqliteAdapter ? SQLITE : POSTGRES
