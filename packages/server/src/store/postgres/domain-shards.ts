import type { Pool } from 'pg'
import type { SplitTable } from './distribution.ts'

/** Where the rows of one domain are. */
export interface DomainShards {
  domainId: number
  /** Number of the shard of `identifications`, by which the others can be told to be still these. */
  shard: number
  /** Name of the shard of a table, on the worker that has the domain. */
  table(name: SplitTable): string
  worker: Worker
}

/** A machine with shards, as the coordinator reaches it. */
export interface Worker {
  /** Its number in Citus. */
  group: number
  host: string
  port: number
}

export const nameOfWorker = ({ host, port }: Worker): string => `${host}:${port}`

/** The shards of each domain of a database that is split over machines. */
export interface Shards {
  of(domainId: number): Promise<DomainShards>
  /** Has them read again: they moved, were split, or a domain was given its own. */
  forget(): void
}

const READ = `
  select logicalrelid::text as name, shard, groupid as "group", nodename as host, nodeport as port
  from pg_dist_partition
  cross join lateral get_shard_id_for_distribution_column(logicalrelid, $1::bigint) as shard
  join pg_dist_placement on shardid = shard
  join pg_dist_node using (groupid)
  where partmethod = 'h' and logicalrelid::text = any($2::text[]) and noderole = 'primary'`

export function readShards(pool: Pool, tables: readonly SplitTable[]): Shards {
  const known = new Map<number, Promise<DomainShards>>()

  async function read(domainId: number): Promise<DomainShards> {
    const { rows } = await pool.query<{ name: SplitTable; shard: number } & Worker>(READ, [domainId, tables])
    const names = new Map(rows.map(({ name, shard }) => [name, `${name}_${shard}`]))
    const first = rows.find(({ name }) => name === 'identifications')
    if (first === undefined) throw new Error('the table of identifications is not split')
    const { shard, group, host, port } = first
    return { domainId, shard, table: (name) => names.get(name) ?? name, worker: { group, host, port } }
  }

  return {
    of(domainId) {
      const found = known.get(domainId) ?? read(domainId)
      known.set(domainId, found)
      found.catch(() => known.delete(domainId))
      return found
    },
    forget: () => known.clear(),
  }
}
