import { Client, Pool } from 'pg'
import { type CeilingRow, ceilingDefinition, INDEXED, indexedCells, VALUES } from './ceiling-columns.ts'

/** Varying columns are passed as one array each; the other columns are the same in each row. */
const INSERT = `
  insert into visits
  select varying.*, ${VALUES.map((value) => `'${value}'`).join(', ')}
  from unnest(${INDEXED.map((_, index) => `$${index + 1}::text[]`).join(', ')}, $${INDEXED.length + 1}::bytea[]) as varying`

export async function createCeilingTable(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of ceilingDefinition('bytea')) await client.query(statement)
  // Nobody reads the data, so compression would only cost time.
  await client.query('alter table visits alter column body set storage external')
  await client.end()
}

/** The same layout as for SQLite; each batch is one statement and therefore one durable commit. */
export function openCeilingPool(url: string, connections: number): (rows: CeilingRow[]) => Promise<void> {
  const pool = new Pool({ connectionString: url, max: connections })
  return async (rows) => {
    const now = new Date().toISOString()
    const cells = rows.map((row) => indexedCells(row, now))
    const columns = INDEXED.map((_, index) => cells.map((cell) => cell[index]))
    await pool.query({ name: 'insert', text: INSERT, values: [...columns, rows.map(({ body }) => body)] })
  }
}

export async function countCeilingPostgres(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ total: string }>('select count(*) as total from visits')
  await client.end()
  return Number(rows[0]?.total)
}
