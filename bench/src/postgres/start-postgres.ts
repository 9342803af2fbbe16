import { join } from 'node:path'
import { Client } from 'pg'
import { type Child, startProgram } from '../lib/child.ts'
import { freePort } from '../lib/free-port.ts'
import { progress } from '../lib/progress.ts'
import { scratchFolder } from '../lib/scratch.ts'
import { postgresPrograms } from './postgres-programs.ts'

/** Durability stays at its defaults: `fsync`, `synchronous_commit` and `full_page_writes` are on. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '1GB',
  // Makes checkpoints as rare as on a server tuned for writes.
  max_wal_size: '4GB',
}

export interface RunningPostgres {
  pid(): number
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>
  /** Kills it like a crash; the next start recovers from the write-ahead log. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL in its own folder, which is removed with this process. */
export async function startPostgres(): Promise<RunningPostgres> {
  const folder = scratchFolder()
  const programs = await postgresPrograms(folder)
  const dataDir = join(folder, 'data')
  await programs.initialize(dataDir)
  const port = await freePort()
  const settings = { ...SETTINGS, port: String(port), unix_socket_directories: folder }
  const start = (): Promise<Child> =>
    startProgram({
      ...programs.options,
      file: programs.postgres,
      argv: [
        '-D',
        dataDir,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ready: /database system is ready to accept connections/,
      readyOn: 'stderr',
      killSignal: 'SIGQUIT',
      stopSignal: 'SIGINT',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  let server = await start()
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`
  progress('PostgreSQL is ready')

  return {
    pid: () => server.pid,
    async createDatabase(name) {
      const admin = new Client({ connectionString: urlOf('postgres') })
      await admin.connect()
      await admin.query(`create database ${name}`)
      await admin.end()
      return urlOf(name)
    },
    kill: () => server.kill(),
    async start() {
      server = await start()
    },
    stop: () => server.stop(),
  }
}
