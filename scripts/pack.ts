import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildAgentPackage } from '../packages/agent/build-package.ts'
import { buildSdk } from '../packages/sdk/build.ts'
import { buildServer } from '../packages/server/build/build-server.ts'
import { packFolder } from '../packages/server/build/pack-clients.ts'

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

if (import.meta.main) {
  const packed = await pack(resolve(process.argv[2] ?? 'packed'))
  for (const file of Object.values(packed)) console.log(file)
}
