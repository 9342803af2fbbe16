import { type Kysely, sql } from 'kysely'

/**
 * The request IDs that any domain used of late. Where tables are split over machines, a shard knows only those of its own
 * domains. Rows are deleted in the order in which they come, so that a few blocks of the index tell which ones are old.
 */
export async function createRecentRequests(db: Kysely<unknown>): Promise<void> {
  await sql`create table recent_requests (
    request_id bytea primary key,
    domain_id bigint not null,
    created_at bigint not null
  )`.execute(db)
  await sql`create index recent_requests_time on recent_requests using brin (created_at)`.execute(db)
}
