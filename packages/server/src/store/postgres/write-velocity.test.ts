import type { ClientBase } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { databaseSettings } from '../../../test/test-database.ts'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { knownCounts } from './known-counts.ts'
import { openPool, withTransaction } from './pools.ts'
import { lockVelocity, saveVelocity } from './write-velocity.ts'

/** More than connections that prepare a statement plan anew for their parameters. */
const REPEATS = 8

const { workers = [] } = inject('testPostgres') ?? {}

// On a cluster commits run on the workers, and the coordinator cannot lock these rows.
test.runIf(workers.length === 0)(
  'counting reads the states of its visits, and not those of the whole domain, whatever the planner knows',
  async () => {
    const { directory, domainId } = await temporaryStore()
    const { DATABASE_URL = '' } = await databaseSettings(directory)
    const pool = openPool(DATABASE_URL, 'commits')
    onTestFinished(() => pool.end())
    const hashes = Buffer.alloc((VELOCITY_SUBJECTS.length + 1) * 8, 1)
    const visits = [{ domainId, hashes, atMs: Date.UTC(2026, 10, 23) }]
    const rowsRead = async (client: ClientBase): Promise<number> => {
      const { rows } = await client.query<{ read: number }>(
        `select sum(seq_tup_read + idx_tup_fetch)::bigint as read from pg_stat_xact_user_tables where relname = 'velocity'`,
      )
      return rows[0]?.read ?? 0
    }
    const count = () =>
      withTransaction(pool, async (client, sent) => {
        const known = knownCounts()
        const before = await rowsRead(client)
        const { batch } = await lockVelocity(client, visits, known)
        for (const visit of visits) batch.count(visit)
        saveVelocity(client, batch, { known, sent })
        return (await rowsRead(client)) - before
      })
    await count()
    // As at a new installation: no statistics tell of the rows.
    await pool.query(
      `insert into velocity (domain_id, subject, hash, state, updated_at)
     select $1, 0, sha256(n::text::bytea), '', 0 from generate_series(1, 3000) n`,
      [domainId],
    )
    for (let repeat = 0; repeat < REPEATS; repeat++)
      // Each state once to read it and once to change it.
      expect(await count()).toBeLessThanOrEqual(2 * VELOCITY_SUBJECTS.length)
  },
)
