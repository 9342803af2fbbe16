import { sql } from 'kysely'

/**
 * The domain's column, to be compared where rows are already named by their IDs. For more than about three IDs SQLite
 * would otherwise prefer an index that begins with the domain, and read every row of it; an expression has no index.
 */
export const DOMAIN_BESIDE_IDS = sql<number>`+domain_id`
