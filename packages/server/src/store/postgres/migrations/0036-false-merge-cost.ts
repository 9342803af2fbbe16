import { type Kysely, sql } from 'kysely'

/** What a false merge of two devices costs a domain, in false splits; NULL for the cost of the release. */
export async function addFalseMergeCost(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column false_merge_cost double precision`.execute(db)
}
