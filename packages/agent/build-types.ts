import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** What a page's program needs: the functions and their types, without the agent's inside. */
const PUBLIC_FILES = ['index', 'check']

/** Writes the types of the module that the server gives out, for programs that import it by its address. */
export async function buildTypes(folder = join(HERE, 'dist')): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'inkling-types-'))
  try {
    const project = join(HERE, 'tsconfig.types.json')
    await promisify(execFile)(process.execPath, [COMPILER, '-p', project, '--outDir', emitted])
    await mkdir(folder, { recursive: true })
    for (const name of PUBLIC_FILES) {
      const text = await readFile(join(emitted, 'agent/src', `${name}.d.ts`), 'utf8')
      await writeFile(join(folder, `${name}.d.ts`), text.replaceAll("'./check.ts'", "'./check.js'"))
    }
  } finally {
    await rm(emitted, { recursive: true })
  }
}
