import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import { AppError } from '../lib/errors.ts'
import { writeBackup } from '../store/sqlite/backup-file.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { withProgress } from './with-progress.ts'

/** `inkling backup`: the embedded database and its generated secrets in one file. */
export function backupCommand(): Command {
  return new Command('backup')
    .argument('<file>', 'where to; it must not exist')
    .description(
      'copy the embedded database and the generated secrets into one file, also while the server runs',
    )
    .action(async (file: string, _options, self: Command) => {
      const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
      if (DATABASE_URL !== undefined)
        throw new AppError(
          'INK_COMMAND',
          'DATABASE_URL is set: back PostgreSQL up with its own tools, such as pg_dump --format=custom',
        )
      const json = isJson(self)
      const bytes = await withProgress({ label: 'copying', json }, (report) =>
        writeBackup(DATA_DIR, file, report),
      )
      print({ file, bytes }, json)
    })
}
