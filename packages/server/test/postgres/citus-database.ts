import { Client, DatabaseError } from 'pg'

/*
 * Databases of a Citus cluster. `create database` makes one on the coordinator alone, so each worker gets its own, and
 * the new coordinator's is told of them.
 */

export interface CitusNode {
  host: string
  port: number
}

/** The workers that hold shards of the administrator's database; none for a server without Citus. */
export async function workersOf(adminUrl: string): Promise<CitusNode[]> {
  return using(adminUrl, async (client) => {
    const { rows: extensions } = await client.query("select 1 from pg_extension where extname = 'citus'")
    if (extensions.length === 0) return []
    const { rows } = await client.query<CitusNode>(
      'select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid',
    )
    return rows
  })
}

/** Makes the database a cluster of its own, of this coordinator and of databases of its name on the workers. */
export async function joinWorkers(
  adminUrl: string,
  database: string,
  workers: readonly CitusNode[],
): Promise<void> {
  for (const worker of workers) {
    await run(urlOn(adminUrl, worker), `create database ${database}`)
    await run(urlOn(adminUrl, worker, database), 'create extension citus')
  }
  await using(urlOf(adminUrl, database), async (client) => {
    const { hostname, port } = new URL(adminUrl)
    await client.query('create extension citus')
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
    // Few, so that a test's tables are copied quickly.
    await client.query(`alter database ${database} set citus.shard_count = ${workers.length}`)
  })
}

/**
 * Lets nothing connect to the database and ends what is connected, on the coordinator and on every worker: only then can
 * a database be copied. The extension has a process in each one, which is back with the next connection.
 */
export const closeDatabase = (adminUrl: string, name: string, workers: readonly CitusNode[]): Promise<void> =>
  onEveryServer(adminUrl, workers, [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ])

/**
 * Copies a closed database with its shards. Nodes of a cluster are known by host and port, and each one looks for the
 * others in the database of the same name, so that the copies are a cluster of their own.
 */
export const copyDatabase = (
  adminUrl: string,
  name: string,
  template: string,
  workers: readonly CitusNode[],
): Promise<void> =>
  onEveryServer(adminUrl, workers, [`create database ${name} template ${template} strategy file_copy`])

/** Removes what `copyDatabase` made. */
export async function dropDatabase(
  adminUrl: string,
  name: string,
  workers: readonly CitusNode[],
): Promise<void> {
  // Removing one waits for the extension's process, which could be waiting for a connection to what is being removed
  // elsewhere. A closed database refuses it at once, so one is removed after the other.
  if (workers.length > 0) await closeDatabase(adminUrl, name, workers)
  for (const url of urlsOfServers(adminUrl, workers)) await dropFrom(url, name)
}

/** SQLSTATE after PostgreSQL has waited five seconds for the other sessions of the database. */
const IN_USE = '55006'
const ATTEMPTS_MAX = 3

/**
 * A connection that began before the database was closed can wait for its removal, which waits for the session that
 * asked for the connection. Once the removal has failed, the connection is refused and the session ends.
 */
async function dropFrom(url: string, name: string, attempt = 1): Promise<void> {
  try {
    await run(url, `drop database ${name} with (force)`)
  } catch (error) {
    const isInUse = error instanceof DatabaseError && error.code === IN_USE
    if (!isInUse || attempt === ATTEMPTS_MAX) throw error
    await dropFrom(url, name, attempt + 1)
  }
}

/** Without workers the coordinator is a PostgreSQL without Citus. */
const urlsOfServers = (adminUrl: string, workers: readonly CitusNode[]): string[] => [
  adminUrl,
  ...workers.map((worker) => urlOn(adminUrl, worker)),
]

async function onEveryServer(
  adminUrl: string,
  workers: readonly CitusNode[],
  statements: readonly string[],
): Promise<void> {
  await Promise.all(
    urlsOfServers(adminUrl, workers).map((url) =>
      using(url, async (client) => {
        for (const statement of statements) await client.query(statement)
      }),
    ),
  )
}

/** URL of a database of the administrator's server. */
export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = database
  return url.href
}

/** URL of a database on a worker; of the administrator's where none is named. */
export function urlOn(adminUrl: string, { host, port }: CitusNode, database?: string): string {
  const url = new URL(database === undefined ? adminUrl : urlOf(adminUrl, database))
  url.hostname = host
  url.port = String(port)
  return url.href
}

const run = (url: string, statement: string): Promise<unknown> =>
  using(url, (client) => client.query(statement))

async function using<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
