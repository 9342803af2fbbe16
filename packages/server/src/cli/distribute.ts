import { Command } from 'commander'
import { Kysely } from 'kysely'
import { migrate } from '../store/migrate.ts'
import { type Distribution, distribute, planDistribution } from '../store/postgres/distribution.ts'
import { OneWriterDialect } from '../store/postgres/locks.ts'
import { POSTGRES_MIGRATIONS } from '../store/postgres/migrations/index.ts'
import { makePartitions } from '../store/postgres/partitions.ts'
import { openPool } from '../store/postgres/pools.ts'
import type { Schema } from '../store/schema.ts'
import { isJson, POSTGRES_URL, parsedBy, print, withProgress } from './command-line.ts'

interface Options {
  to: string
  dryRun?: boolean
}

/** `inkling distribute`: splits the tables of visits over the workers of a Citus cluster. */
export function distributeCommand(): Command {
  return new Command('distribute')
    .description(
      'split the tables of visits by domain over the workers of a Citus cluster, and check that every row is there; stop all servers first. After an interruption, run it again',
    )
    .requiredOption('--to <url>', 'postgres://… URL of the coordinator', parsedBy(POSTGRES_URL))
    .option('--dry-run', 'say what would be split; split nothing')
    .action(async ({ to, dryRun }: Options, self: Command) => {
      const json = isJson(self)
      const pool = openPool(to, 'longWrites')
      const db = new Kysely<Schema>({ dialect: new OneWriterDialect({ pool }) })
      try {
        if (dryRun) return print(await planDistribution(db), json)
        await migrate(db, POSTGRES_MIGRATIONS)
        await makePartitions(db, Date.now())
        const distribution = await withProgress({ label: 'splitting', json }, (report) =>
          distribute(db, report),
        )
        print(summary(distribution), json)
      } finally {
        await db.destroy()
      }
    })
}

const summary = ({ version, workers, split }: Distribution) => ({
  citus: version,
  workers: workers.join(', '),
  split: split.join(', '),
})
