import { Client } from 'pg'

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

/** Makes the database a cluster of its own: of this coordinator, and of databases of its name on the workers. */
export async function joinWorkers(
  adminUrl: string,
  database: string,
  workers: readonly CitusNode[],
): Promise<void> {
  for (const worker of workers) {
    await run(urlOn(adminUrl, worker), `create database ${database}`)
    await run(urlOn(adminUrl, worker, database), 'create extension citus')
  }
  await oneAtATime(adminUrl, () =>
    using(urlOf(adminUrl, database), async (client) => {
      const { hostname, port } = new URL(adminUrl)
      await client.query('create extension citus')
      await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
      for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
      // Few, so that a test makes its tables quickly.
      await client.query(`alter database ${database} set citus.shard_count = ${workers.length}`)
    }),
  )
}

const JOINING_LOCK = 20_261_123

/** Adding a node alters the roles of its server, which fails if two databases of that server do it together. */
const oneAtATime = (adminUrl: string, work: () => Promise<void>): Promise<void> =>
  using(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [JOINING_LOCK])
    await work()
  })

/** Removes what `joinWorkers` made on the workers. */
export async function dropOnWorkers(
  adminUrl: string,
  database: string,
  workers: readonly CitusNode[],
): Promise<void> {
  for (const worker of workers)
    await run(urlOn(adminUrl, worker), `drop database if exists ${database} with (force)`)
}

/** URL of a database of the administrator's server. */
export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = database
  return url.href
}

function urlOn(adminUrl: string, { host, port }: CitusNode, database?: string): string {
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
