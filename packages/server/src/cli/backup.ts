import { mkdir } from 'node:fs/promises'
import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import { AppError } from '../lib/errors.ts'
import { restoreBackup, writeBackup } from '../store/sqlite/backup-file.ts'
import { isJson, print, withProgress } from './command-line.ts'

/** `inkling backup`: the embedded database and its generated secrets in one file. */
export function backupCommand(): Command {
  return new Command('backup')
    .argument('<file>', 'file to write; it must not exist')
    .description(
      'copy the embedded database and the generated secrets into one file; the server may be running',
    )
    .action(async (file: string, _options, self: Command) => {
      const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
      if (DATABASE_URL !== undefined)
        throw new AppError(
          'INK_COMMAND',
          'DATABASE_URL is set; back up PostgreSQL with its own tools, such as pg_dump --format=custom',
        )
      const json = isJson(self)
      const bytes = await withProgress({ label: 'copying', json }, (report) =>
        writeBackup(DATA_DIR, file, report),
      )
      print({ file, bytes }, json)
    })
}

/** `inkling restore`: fills an empty data directory from a backup. */
export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<file>', 'file that `inkling backup` wrote')
    .description('restore a backup into an empty data directory')
    .action(async (file: string, _options, self: Command) => {
      const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
      if (DATABASE_URL !== undefined)
        throw new AppError(
          'INK_COMMAND',
          'DATABASE_URL is set; restore PostgreSQL with its own tools, such as pg_restore. To move a restored embedded database to PostgreSQL, unset it and use inkling migrate-store',
        )
      const json = isJson(self)
      await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
      await withProgress({ label: 'restoring', json }, (report) => restoreBackup(file, DATA_DIR, report))
      print({ file, data_dir: DATA_DIR }, json)
    })
}
