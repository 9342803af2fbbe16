import type { Kysely, Selectable } from 'kysely'
import { DAY_MS } from '../lib/durations.ts'
import type { BackTestTable } from './decision-tables.ts'
import type { Schema } from './schema.ts'

export type BackTestRow = Selectable<BackTestTable>

/** A test whose node was not heard for this long has ended with the node, which beats every second. */
const LAPSED_MS = 15_000
/** Results name accounts and visits, so they are not kept for good. */
const KEPT_MS = 7 * DAY_MS

/** Which test of a domain, and which run of it: a node that comes back late must not overwrite a newer run. */
export type BackTestRun = Pick<BackTestRow, 'domain_id' | 'kind' | 'run'>

/** The latest back-test of each kind of a domain. */
export const backTestStore = (db: Kysely<Schema>) => ({
  latest: (domainId: number, kind: string): Promise<BackTestRow | undefined> =>
    db
      .selectFrom('back_tests')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('kind', '=', kind)
      .executeTakeFirst(),

  /** Undefined while another run of the domain goes on. */
  begin(run: BackTestRun, body: string, nowMs: number): Promise<BackTestRow | undefined> {
    const begun = { state: 'running' as const, started_at: nowMs, ended_at: null, seen_at: nowMs, body }
    return db
      .insertInto('back_tests')
      .values({ ...run, ...begun })
      .onConflict((conflict) =>
        conflict
          .columns(['domain_id', 'kind'])
          .doUpdateSet({ run: run.run, ...begun })
          .where(({ eb, or }) =>
            or([eb('back_tests.state', '!=', 'running'), eb('back_tests.seen_at', '<', nowMs - LAPSED_MS)]),
          ),
      )
      .returningAll()
      .executeTakeFirst()
  },

  /** Tells the others that the run goes on. False where it was cancelled, replaced or erased. */
  async beat({ domain_id, kind, run }: BackTestRun, body: string, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('back_tests')
      .set({ seen_at: nowMs, body })
      .where('domain_id', '=', domain_id)
      .where('kind', '=', kind)
      .where('run', '=', run)
      .where('state', '=', 'running')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Says how a run ended, unless that is said already. */
  end: (
    { domain_id, kind, run }: BackTestRun,
    ended: Pick<BackTestRow, 'state' | 'body'>,
    nowMs: number,
  ): Promise<unknown> =>
    db
      .updateTable('back_tests')
      .set({ ...ended, ended_at: nowMs })
      .where('domain_id', '=', domain_id)
      .where('kind', '=', kind)
      .where('run', '=', run)
      .where('state', '=', 'running')
      .execute(),

  /** The node that runs it stops at its next beat. */
  cancel: (domainId: number, kind: string, nowMs: number): Promise<unknown> =>
    db
      .updateTable('back_tests')
      .set({ state: 'cancelled', ended_at: nowMs })
      .where('domain_id', '=', domainId)
      .where('kind', '=', kind)
      .where('state', '=', 'running')
      .where('seen_at', '>=', nowMs - LAPSED_MS)
      .execute(),

  /** An erasure: a result may name anybody whose visits it read, and a run may have read them already. */
  forget: (domainId: number): Promise<unknown> =>
    db.deleteFrom('back_tests').where('domain_id', '=', domainId).execute(),

  removeOld: (nowMs: number): Promise<unknown> =>
    db
      .deleteFrom('back_tests')
      .where('seen_at', '<', nowMs - KEPT_MS)
      .execute(),
})

/** Whether the node that ran it stopped without saying so. */
export const hasLapsed = ({ state, seen_at }: BackTestRow, nowMs: number): boolean =>
  state === 'running' && seen_at < nowMs - LAPSED_MS
