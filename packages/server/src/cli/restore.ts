import { mkdir } from 'node:fs/promises'
import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import { AppError } from '../lib/errors.ts'
import { restoreBackup } from '../store/sqlite/backup-file.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { withProgress } from './with-progress.ts'

/** `inkling restore`: an empty data directory becomes what a backup holds. */
export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<file>', 'made by `inkling backup`')
    .description('restore a backup into an empty data directory')
    .action(async (file: string, _options, self: Command) => {
      const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
      if (DATABASE_URL !== undefined)
        throw new AppError(
          'INK_COMMAND',
          'DATABASE_URL is set: restore PostgreSQL with its own tools, such as pg_restore; or unset it, and move the restored database with inkling migrate-store',
        )
      const json = isJson(self)
      await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
      await withProgress({ label: 'restoring', json }, (report) => restoreBackup(file, DATA_DIR, report))
      print({ file, data_dir: DATA_DIR }, json)
    })
}
