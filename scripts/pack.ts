import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildAgentPackage } from '../packages/agent/build-package.ts'
import { buildSdk } from '../packages/sdk/build.ts'
import { buildServer } from '../packages/server/build/build-server.ts'

const BUILDS = { agent: buildAgentPackage, sdk: buildSdk, server: buildServer }

export type PackageName = keyof typeof BUILDS

/**
 * Builds the published packages and packs them into the folder.
 * @returns the paths of the archives
 */
export async function pack(folder: string): Promise<Record<PackageName, string>> {
  await mkdir(folder, { recursive: true })
  const built = await mkdtemp(join(tmpdir(), 'inkling-pack-'))
  try {
    const packed = {} as Record<PackageName, string>
    for (const name of Object.keys(BUILDS) as PackageName[]) {
      await BUILDS[name](join(built, name))
      packed[name] = await packFolder(join(built, name), folder)
    }
    return packed
  } finally {
    await rm(built, { recursive: true })
  }
}

async function packFolder(source: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: source,
  })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
  if (!packed) throw new Error(`npm packed nothing from ${source}`)
  return join(folder, packed.filename)
}

if (import.meta.main) {
  const packed = await pack(resolve(process.argv[2] ?? 'packed'))
  for (const file of Object.values(packed)) console.log(file)
}
