import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** A setting that loses commits or refuses them while it is wrong on a machine of a Citus cluster. */
interface WrongSetting {
  name: string
  isWrong(value: string): boolean
  /** Sessions of nodes have settings of their own on the coordinator, and tables are split there. */
  on: 'every machine' | 'machines with shards' | 'the coordinator'
  remedy: string
}

const WRONG: readonly WrongSetting[] = [
  {
    // A commit that reaches two machines is prepared on both before it counts.
    name: 'max_prepared_transactions',
    isWrong: (value) => value === '0',
    on: 'every machine',
    remedy: 'set it to 200 and restart them',
  },
  {
    // Citus opens the sessions there, without what a node asks of its own, and a commit that reaches one machine is
    // only committed.
    name: 'synchronous_commit',
    isWrong: (value) => value === 'off',
    on: 'machines with shards',
    remedy: 'set it to on, or acknowledged identifications can be lost when such a machine fails',
  },
  {
    // Commits write the one shard that has a domain; a copy on another machine would be without them.
    name: 'citus.shard_replication_factor',
    isWrong: (value) => Number(value) > 1,
    on: 'the coordinator',
    remedy: 'set it to 1, and keep standbys of the machines instead',
  },
]

interface Machine {
  machine: string
  value: string
  hasShards: boolean
  isCoordinator: boolean
}

const CONCERNS: Record<WrongSetting['on'], (machine: Machine) => boolean> = {
  'every machine': () => true,
  'machines with shards': ({ hasShards }) => hasShards,
  'the coordinator': ({ isCoordinator }) => isCoordinator,
}

/** What is wrong in sessions that the coordinator opens, and what to do about it; nothing where all is well. */
export async function wrongSettings(db: Kysely<Schema>): Promise<string[]> {
  const found: string[] = []
  for (const { name, isWrong, on, remedy } of WRONG) {
    const { rows } = await sql<Machine>`
      select nodename || ':' || nodeport as machine, result as value, groupid <> 0 or shouldhaveshards as "hasShards",
        groupid = 0 as "isCoordinator"
      from run_command_on_all_nodes(${`show ${name}`}) join pg_dist_node using (nodeid) order by nodeid`.execute(
      db,
    )
    const wrong = rows.filter((row) => isWrong(row.value) && CONCERNS[on](row))
    const values = [...new Set(wrong.map(({ value }) => value))].join(' or ')
    const machines = wrong.map(({ machine }) => machine).join(', ')
    if (wrong.length > 0) found.push(`${name} is ${values} on ${machines}: ${remedy}`)
  }
  return found
}

/** What to do about a coordinator that its cluster does not know: a commit on it and on a worker could be torn apart. */
export const UNKNOWN_COORDINATOR =
  'the cluster does not know its coordinator: run "select citus_set_coordinator_host(host, port)" on it, as workers reach it'

export async function knowsCoordinator(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_dist_node where groupid = 0`.execute(db)
  return rows.length > 0
}
