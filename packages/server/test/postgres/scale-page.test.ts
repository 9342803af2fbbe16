import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { temporaryStore } from '../temporary-store.ts'

const page = await readFile(new URL('../../../../docs/deployment/scale.md', import.meta.url), 'utf8')
const statements = /```sql\n([\s\S]+?)```/.exec(page)?.[1] ?? ''
const distributed = [...statements.matchAll(/create_distributed_table\('(\w+)', 'domain_id'/g)].map(
  ([, name = '']) => name,
)

test('the page on scale says for every table whether it is split by domain', async () => {
  const { store } = await temporaryStore()
  const { rows } = await sql<{ name: string }>`
    select relation.relname as name from pg_class as relation
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition`.execute(store.reads)
  const whole = [...page.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const unnamed = rows.filter(({ name }) => !distributed.includes(name) && !whole.includes(name))
  expect(unnamed).toEqual([])
  expect(distributed.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})

test('with the keys of the page on scale every split table has only keys with its domain', async () => {
  const { store } = await temporaryStore()
  const changes = statements
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => /^(alter|drop) /.test(statement))
  for (const change of changes) await sql.raw(change).execute(store.writes)
  const { rows } = await sql<{ name: string; keys: string }>`
    select tables.relname as name, pg_get_indexdef(indexrelid) as keys
    from pg_index join pg_class as tables on tables.oid = indrelid
    where indisunique and tables.relname in (${sql.join(distributed)})`.execute(store.reads)
  expect(rows.length).toBeGreaterThanOrEqual(distributed.length)
  expect(rows.filter(({ keys }) => !/\(domain_id[,)]/.test(keys))).toEqual([])
})
