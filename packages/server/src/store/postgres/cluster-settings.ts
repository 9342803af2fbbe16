import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** A setting that loses commits or refuses them while a machine of a Citus cluster has this value. */
interface WrongSetting {
  name: string
  value: string
  /** On every machine, or only on those with shards: sessions of the coordinator have settings of their own. */
  on: 'every machine' | 'machines with shards'
  remedy: string
}

const WRONG: readonly WrongSetting[] = [
  {
    // A commit that reaches two machines is prepared on both before it counts.
    name: 'max_prepared_transactions',
    value: '0',
    on: 'every machine',
    remedy: 'set it to 200 and restart them',
  },
  {
    // Citus opens the sessions there, without what a node asks of its own, and a commit that reaches one machine is
    // only committed.
    name: 'synchronous_commit',
    value: 'off',
    on: 'machines with shards',
    remedy: 'set it to on, or acknowledged identifications can be lost when such a machine fails',
  },
]

/** What is wrong in sessions that the coordinator opens, and what to do about it; nothing where all is well. */
export async function wrongSettings(db: Kysely<Schema>): Promise<string[]> {
  const found: string[] = []
  for (const { name, value, on, remedy } of WRONG) {
    const { rows } = await sql<{ machine: string; value: string; hasShards: boolean }>`
      select nodename || ':' || nodeport as machine, result as value, groupid <> 0 or shouldhaveshards as "hasShards"
      from run_command_on_all_nodes(${`show ${name}`}) join pg_dist_node using (nodeid) order by nodeid`.execute(
      db,
    )
    const machines = rows
      .filter((row) => row.value === value && (on === 'every machine' || row.hasShards))
      .map(({ machine }) => machine)
    if (machines.length > 0) found.push(`${name} is ${value} on ${machines.join(', ')}: ${remedy}`)
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
