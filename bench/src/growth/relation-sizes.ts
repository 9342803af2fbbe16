import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'

/** A table or index, including its partitions. */
export interface RelationSize {
  name: string
  bytes: number
}

/** Largest first. */
export async function relationSizes({ dataDir, databaseUrl }: StoreOptions): Promise<RelationSize[]> {
  const sizes = databaseUrl === undefined ? sqliteSizes(dataDir) : await postgresSizes(databaseUrl)
  return sizes.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
}

function sqliteSizes(dataDir: string): RelationSize[] {
  const db = new DatabaseSync(join(dataDir, 'inkling.db'), { readOnly: true, timeout: 10_000 })
  const rows = db
    .prepare('select name, sum(pgsize) as bytes from dbstat where aggregate = true group by name')
    .all()
  db.close()
  return rows.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }))
}

/** Partitions and their indexes are added to their parent. */
const POSTGRES_SIZES = `
  select coalesce(pg_partition_root(relation.oid), relation.oid)::regclass as name,
    sum(pg_relation_size(relation.oid) + coalesce(pg_relation_size(nullif(relation.reltoastrelid, 0)), 0)) as bytes
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = 'public' and relation.relkind in ('r', 'i')
  group by 1`

async function postgresSizes(url: string): Promise<RelationSize[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string; bytes: string }>(POSTGRES_SIZES)
  await client.end()
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}
