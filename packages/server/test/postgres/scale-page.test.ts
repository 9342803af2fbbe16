import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { leadKeyByDomain, planDistribution, SPLIT_TABLES } from '../../src/store/postgres/distribution.ts'
import { temporaryStore } from '../temporary-store.ts'

const page = await readFile(new URL('../../../../docs/deployment/scale.md', import.meta.url), 'utf8')
const named = new Set([...page.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
const { workers = [] } = inject('testPostgres') ?? {}

test('the page on scale names every table, and every split table exists', async () => {
  const { store } = await temporaryStore()
  const { rows } = await sql<{ name: string }>`
    select relation.relname as name from pg_class as relation
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition and relation.relname not like 'citus%'`.execute(store.reads)
  expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  expect(SPLIT_TABLES.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})

test('the keys of every table that would be split begin with its domain', async () => {
  const { store } = await temporaryStore()
  for (const table of SPLIT_TABLES) await leadKeyByDomain(store.writes, table)
  const { rows } = await sql<{ name: string; keys: string }>`
    select tables.relname as name, pg_get_indexdef(indexrelid) as keys
    from pg_index join pg_class as tables on tables.oid = indrelid
    where indisunique and tables.relname in (${sql.join(SPLIT_TABLES)})`.execute(store.reads)
  expect(rows.length).toBeGreaterThanOrEqual(SPLIT_TABLES.length)
  expect(rows.filter(({ keys }) => !/\(domain_id[,)]/.test(keys))).toEqual([])
})

test.runIf(workers.length === 0)('without Citus the plan is refused with what to do', async () => {
  const { store } = await temporaryStore()
  await expect(planDistribution(store.writes)).rejects.toThrow('create extension citus')
})
