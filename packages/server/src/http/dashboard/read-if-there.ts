import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Undefined without the file. */
export async function readIfThere(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
