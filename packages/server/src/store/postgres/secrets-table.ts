import type { Pool } from 'pg'
import { secretsFile } from '../secrets-file.ts'
import type { SecretsKeeper } from '../store.ts'

/**
 * Generated secrets in the database, where every node finds them. Those that a data directory has already, from
 * before the installation moved, are taken over.
 */
export function secretsTable(pool: Pool, dataDir: string): SecretsKeeper {
  async function stored(): Promise<string | undefined> {
    const { rows } = await pool.query<{ body: string }>('select body from server_secrets')
    return rows[0]?.body
  }
  async function add(text: string): Promise<void> {
    await pool.query('insert into server_secrets (id, body) values (1, $1) on conflict do nothing', [text])
  }
  return {
    add,
    async read() {
      const known = await stored()
      if (known !== undefined) return known
      const fromFile = await secretsFile(dataDir).read()
      if (fromFile !== undefined) await add(fromFile)
      return stored()
    },
  }
}
