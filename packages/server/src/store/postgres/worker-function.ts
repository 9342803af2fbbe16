import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { knowsCoordinator, UNKNOWN_COORDINATOR } from './cluster-settings.ts'

/**
 * A function of the database that runs statements on the worker that has the rows, directly on the shards. A statement
 * that goes through the coordinator is planned there, sent and planned again, which costs ten times what it takes on the
 * worker: see `docs/decisions/0025-commits-run-on-workers.md`.
 */

/** A release that changes the function gives it another number: nodes of both releases may run at once. */
export const WORKER_FUNCTION = 'inkling_on_worker_1'

/** SQLSTATE that the function raises where a domain has moved. A shard that has moved may stay where it was for a while, and is not to be written. */
export const DOMAIN_MOVED = 'INK01'

/** Types of the arrays in which the function gets the values of all statements: `$1` to `$5` in each of them. */
export const VALUE_TYPES = ['integer', 'text', 'bytes', 'boolean', 'real'] as const

/** The first domain is where Citus calls it; all of them have to be on that worker. */
const CREATE = `
  create function ${WORKER_FUNCTION}(
    first_domain bigint, domains bigint[], shards bigint[], texts text[], answering boolean[],
    integers bigint[], strings text[], bytes bytea[], booleans boolean[], reals double precision[]
  ) returns json language plpgsql as $$
  declare
    answers text[];
    answer text;
    own_group int := (select groupid from pg_dist_local_group);
  begin
    if exists (
      select 1 from unnest(domains, shards) as given (domain_id, shard_id)
      left join pg_dist_placement here on here.groupid = own_group and here.shardid = shard_id
        and shard_id = get_shard_id_for_distribution_column('identifications', domain_id)
      where here.shardid is null
    ) then
      raise exception 'not all of these domains are on this worker' using errcode = '${DOMAIN_MOVED}';
    end if;
    for place in 1 .. cardinality(texts) loop
      answer := null;
      if answering[place] then
        execute 'with answer as (' || texts[place] || ') select json_agg(answer)::text from answer'
          into answer using integers, strings, bytes, booleans, reals;
      else
        execute texts[place] using integers, strings, bytes, booleans, reals;
      end if;
      answers := answers || coalesce(answer, 'null');
    end loop;
    return '[' || array_to_string(answers, ',') || ']';
  end $$`

/**
 * Gives a split database the function, unless it has it. Nodes may do so at the same time. Citus also gets to know the one
 * table of the coordinator that tells it of a commit's writes there: see `write-batch.ts`.
 * @throws Error when the cluster does not know its coordinator
 */
export async function createWorkerFunction(writes: Kysely<Schema>): Promise<void> {
  if (await exists(writes)) return
  if (!(await knowsCoordinator(writes))) throw new Error(UNKNOWN_COORDINATOR)
  await writes.transaction().execute(async (transaction) => {
    if (await exists(transaction)) return
    await sql`select citus_add_local_table_to_metadata('recent_requests')`.execute(transaction)
    await sql.raw(CREATE).execute(transaction)
    await sql`select create_distributed_function(${sql.lit(WORKER_FUNCTION)}::regproc::regprocedure,
      'first_domain', colocate_with => 'identifications', force_delegation => true)`.execute(transaction)
  })
}

async function exists(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql`select 1 where to_regproc(${WORKER_FUNCTION}) is not null`.execute(db)
  return rows.length > 0
}
