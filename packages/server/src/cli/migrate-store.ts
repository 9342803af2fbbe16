import { Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../composition/config.ts'
import { moveStore } from '../store/move/move-store.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { withProgress } from './with-progress.ts'

/** `inkling migrate-store`: the embedded database moves to PostgreSQL. */
export function migrateStoreCommand(): Command {
  return new Command('migrate-store')
    .description(
      'copy the embedded database into PostgreSQL and compare every row, also while the server runs; a further run copies what has changed since',
    )
    .addOption(
      new Option('--from <engine>', 'the embedded database in DATA_DIR')
        .choices(['sqlite'])
        .makeOptionMandatory(),
    )
    .requiredOption('--to <url>', 'postgres://… of an empty database', readPostgresUrl)
    .action(async ({ to }: { to: string }, self: Command) => {
      const { DATA_DIR } = readConfig(process.env)
      const json = isJson(self)
      const reports = await withProgress({ label: 'copying', json }, (report) =>
        moveStore({ dataDir: DATA_DIR, databaseUrl: to }, report),
      )
      print(reports, json)
    })
}

function readPostgresUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new InvalidArgumentError('postgres://…')
  return text
}
