import { type Kysely, sql } from 'kysely'

/** For verdicts that apply to one cookie of a device: see `sticky-verdicts.ts`. Those before apply to the device. */
export async function addCookieKey(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sticky_verdicts add column cookie_key integer`.execute(db)
}
