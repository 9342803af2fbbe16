import { execFile } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Survives until the next `npm ci`, so that only the first run downloads anything. */
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/inkling-sdk-tests')
const INSTALL_TIMEOUT_MS = 180_000

/** Folder whose `node_modules` has a package, or the reason for not having it. */
export type Installed = { folder: string; missing?: never } | { folder?: never; missing: string }

/** A package that only these tests need, in its own cache. */
export async function installed(specifier: string): Promise<Installed> {
  const folder = join(CACHE, specifier.replaceAll('/', '+'))
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return { folder }
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  // A database server in this folder runs as another user.
  await chmod(unfinished, 0o755)
  try {
    await npmInstall(unfinished, specifier)
    // Another test file may have installed it meanwhile.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
    return { folder }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    return { missing: `the registry does not give ${specifier} (${codeOf(error)})` }
  }
}

/** Installs into an empty project, like a customer. */
export async function npmInstall(project: string, specifier: string): Promise<void> {
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--no-audit', '--no-fund', '--fetch-retries=0', '--fetch-timeout=60000']
  await run('npm', ['install', '--prefix', project, ...quiet, specifier], {
    cwd: project,
    timeout: INSTALL_TIMEOUT_MS,
  })
}

const codeOf = (error: unknown): string =>
  /npm error code (\w+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? 'no answer'
