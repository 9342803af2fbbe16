import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretsKeeper } from './store.ts'

export const SECRETS_FILE = 'secrets.json'
const OWNER_ONLY = 0o600

/** Generated secrets in a file beside the database: it is linked into place whole, and the first one wins. */
export function secretsFile(dataDir: string): SecretsKeeper {
  const file = join(dataDir, SECRETS_FILE)
  return {
    read: () => readFile(file, 'utf8').catch(absent),
    async add(text) {
      const draft = `${file}.${process.pid}`
      await writeFile(draft, text, { mode: OWNER_ONLY })
      try {
        await link(draft, file)
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      } finally {
        await rm(draft, { force: true })
      }
    },
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function absent(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
