import { Command, Option } from 'commander'
import { readConfig } from '../composition/config.ts'
import { moveStore } from '../store/move/move-store.ts'
import { isJson, POSTGRES_URL, parsedBy, print, withProgress } from './command-line.ts'

/** `inkling migrate-store`: moves the embedded database to PostgreSQL. */
export function migrateStoreCommand(): Command {
  return new Command('migrate-store')
    .description(
      'copy the embedded database into PostgreSQL and compare every row; the server may be running, and a further run copies what has changed since',
    )
    .addOption(
      new Option('--from <engine>', 'engine to copy from: the embedded database in DATA_DIR')
        .choices(['sqlite'])
        .makeOptionMandatory(),
    )
    .requiredOption('--to <url>', 'postgres://… URL of an empty database', parsedBy(POSTGRES_URL))
    .action(async ({ to }: { to: string }, self: Command) => {
      const { DATA_DIR } = readConfig(process.env)
      const json = isJson(self)
      const reports = await withProgress({ label: 'copying', json }, (report) =>
        moveStore({ dataDir: DATA_DIR, databaseUrl: to }, report),
      )
      print(reports, json)
    })
}
