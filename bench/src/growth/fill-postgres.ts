import { Client } from 'pg'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import { makePartitions, WEEK_MS } from '../../../packages/server/src/store/postgres/partitions.ts'
import { insertIdentifications, type Piece } from './made-rows.ts'

const DIALECT = { bytes16: 'uuid_send(gen_random_uuid())', address: 'floor(random() * 4294967296)::bigint' }

interface Place {
  dataDir: string
  databaseUrl: string
}

export async function fillPostgres(place: Place, pieces: readonly Piece[]): Promise<void> {
  await partitionsOf(place, pieces)
  const client = new Client({ connectionString: place.databaseUrl })
  await client.connect()
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'")
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'identifications'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const piece of pieces)
    await client.query(`
      with made as (${insertIdentifications(DIALECT, piece)} returning domain_id, request_id, created_at)
      insert into request_ids (domain_id, request_id, created_at) select * from made`)
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
  // Marks the rows as processed; otherwise jobs that read new rows would distort the measurement.
  await client.query('update rollup_progress set last_id = (select max(id) from identifications)')
  await client.query('delete from pattern_cursor')
  await client.query('insert into pattern_cursor select 1, max(id) from identifications')
  await client.query('vacuum analyze')
  await client.end()
}

/** Creates the weekly partitions, as the server would have done. */
async function partitionsOf(place: Place, pieces: readonly Piece[]): Promise<void> {
  const [piece] = pieces
  if (!piece) return
  const store = await openStore(place)
  for (let atMs = piece.firstMs; atMs < piece.firstMs + piece.spanMs; atMs += WEEK_MS)
    await makePartitions(store.writes, atMs)
  await store.close()
}
