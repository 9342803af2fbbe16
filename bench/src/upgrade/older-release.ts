import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress } from '../lib/progress.ts'
import { scratchFolder } from '../lib/scratch.ts'

const run = promisify(execFile)
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
/** Each release that changes the tables adds its migration here. */
const MIGRATIONS = 'packages/server/src/store/postgres/migrations/index.ts'
const CLI = 'packages/server/src/cli/inkling.ts'
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024

export interface Release {
  /** First characters of its commit. */
  name: string
  /** Its command line. */
  cli: string
}

/** The newest commit whose tables are those of one migration ago. */
export async function revisionBeforeNewestMigration(): Promise<string> {
  const { stdout } = await git('log', '-1', '--format=%H', '--', MIGRATIONS)
  return `${stdout.trim()}^`
}

/** Unpacks a commit of this repository into a folder that is removed with this process, with its packages, and builds it. */
export async function openRelease(revision: string): Promise<Release> {
  const { stdout } = await git('rev-parse', '--short=10', '--verify', `${revision}^{commit}`)
  const name = stdout.trim()
  progress(`unpacks and builds ${name}`)
  const folder = scratchFolder()
  const archive = join(folder, 'release.tar')
  await git('archive', '--output', archive, name)
  await run('tar', ['-xf', archive, '-C', folder])
  await run('npm', ['ci'], { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX })
  await run(process.execPath, ['scripts/build.ts'], { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX })
  return { name, cli: join(folder, CLI) }
}

export const thisRelease: Release = {
  name: 'this checkout',
  cli: join(REPOSITORY, CLI),
}

const git = (...argv: string[]) => run('git', argv, { cwd: REPOSITORY })
