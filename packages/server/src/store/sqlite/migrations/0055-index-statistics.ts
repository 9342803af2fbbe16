import { type Kysely, sql } from 'kysely'

const VISITS = 10_000_000
const VISITS_OF_DOMAIN = 100_000
/** Visits of a cookie, a device, an account or an address. */
const VISITS_OF_ONE = 20
const VISITS_OF_SCORE = 1_000
const EVIDENCE = 2_000_000

/** For each index, how many rows it has, and how many there are on average for its first column, its first two, and so on. */
const STATISTICS: Record<string, Record<string, readonly number[]>> = {
  identifications: {
    identifications_request: [VISITS, 1],
    identifications_time: [VISITS, VISITS_OF_DOMAIN, 1],
    identifications_score: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_SCORE, 1],
    identifications_device_id: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_visitor_id: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_session_id: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_cookie_id: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_user_hid: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_ip: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_ONE, 1],
    identifications_ip6: [VISITS / 10, VISITS_OF_DOMAIN / 10, VISITS_OF_ONE, 1],
    identifications_leak: [VISITS / 100, VISITS_OF_DOMAIN / 100, VISITS_OF_ONE, 1],
    // As if they had all visits: no search by the numbers of visits is to go through those of agents instead.
    identifications_agent_time: [VISITS, VISITS_OF_DOMAIN, 1],
    identifications_agent_score: [VISITS, VISITS_OF_DOMAIN, VISITS_OF_SCORE, 1],
  },
  pattern_rows: {
    sqlite_autoindex_pattern_rows_1: [EVIDENCE, EVIDENCE / 100, 50, 1],
    pattern_rows_identification: [EVIDENCE, EVIDENCE / 100, 2],
  },
}

/**
 * Tells SQLite how selective its indexes are. Without that it takes ten visits of a domain for granted, and reads all of them
 * in a period to find those of one device. The numbers are of no database but stand for all: measured ones would change
 * the choice of indexes while a database grows (https://www.sqlite.org/fileformat2.html, section on `sqlite_stat1`).
 */
export async function writeIndexStatistics(db: Kysely<unknown>): Promise<void> {
  // Makes the table of statistics, by reading the least.
  await sql`analyze installation`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  for (const [table, indexes] of Object.entries(STATISTICS))
    for (const [index, numbers] of Object.entries(indexes))
      await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${numbers.join(' ')})`.execute(
        db,
      )
  await sql`analyze sqlite_schema`.execute(db)
}
