import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSdk } from '../build.ts'
import { npmInstall } from './installed.ts'

/** Builds and packs the package and installs it into an empty project, as from the registry. */
export async function packedProject(project: string): Promise<void> {
  const dist = join(project, 'published')
  await buildSdk(dist)
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: dist,
  })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
  if (!packed) throw new Error('nothing was packed')
  await npmInstall(project, join(project, packed.filename))
}
