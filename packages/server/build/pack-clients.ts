import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildAgentPackage } from '../../agent/build-package.ts'
import { buildSdk } from '../../sdk/build.ts'

const CLIENTS = { sdk: buildSdk, agent: buildAgentPackage }

const PACKAGES = join(import.meta.dirname, '../..')
/** The packages that the packed ones are made of. */
const SOURCES = ['agent', 'contract', 'sdk']

/**
 * Packs the packages that run at a customer's, so that the server can hand them out: `sdk.tgz` and `agent.tgz`. The same
 * sources give the same bytes. What is newer than its sources stays.
 */
export async function packClients(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const changedMs = Math.max(...SOURCES.map((name) => changedAt(join(PACKAGES, name))))
  const packed = Object.keys(CLIENTS).map((name) => join(folder, `${name}.tgz`))
  if (packed.every((file) => existsSync(file) && statSync(file).mtimeMs > changedMs)) return
  const built = await mkdtemp(join(tmpdir(), 'inkling-clients-'))
  try {
    // One after the other: what is removed at the end must not be written to any more.
    for (const [name, build] of Object.entries(CLIENTS)) {
      await build(join(built, name))
      const packed = await packFolder(join(built, name), built)
      // Renamed into place, so that nobody reads half a package.
      const unfinished = join(folder, `${name}.tgz.${process.pid}`)
      await copyFile(packed, unfinished)
      await rename(unfinished, join(folder, `${name}.tgz`))
    }
  } finally {
    await rm(built, { recursive: true })
  }
}

/** When a file of the folder last changed, apart from built and installed ones. */
function changedAt(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  return Math.max(
    statSync(folder).mtimeMs,
    ...entries
      .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
      .map((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? changedAt(path) : statSync(path).mtimeMs
      }),
  )
}

/** @returns the path of the archive */
export async function packFolder(source: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: source,
  })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
  if (!packed) throw new Error(`npm packed nothing from ${source}`)
  return join(folder, packed.filename)
}
