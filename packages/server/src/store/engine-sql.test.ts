import { type Compilable, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { engineSql } from './engine-sql.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

test.each(['devices', 'identifications'] as const)('many %s are found by their IDs alone', async (table) => {
  const store = await openSqlite(await temporaryDirectory())
  onTestFinished(() => store.close())
  const ids = Array.from({ length: 50 }, (_, index) => index)
  const rows: Compilable = store.reads
    .selectFrom(table)
    .select('id')
    .where(engineSql(store.reads).besideIds('domain_id'), '=', 1)
    .where('id', 'in', ids)
  const query = rows.compile()
  const plan = await store.reads.executeQuery<{ detail: string }>({
    ...sql`explain query plan `.compile(store.reads),
    sql: `explain query plan ${query.sql}`,
    parameters: query.parameters,
  })
  expect(plan.rows.map(({ detail }) => detail)).toEqual([
    `SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`,
  ])
})
