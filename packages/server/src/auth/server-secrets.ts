import { createECDH, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const hexBytes = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
    .transform((text) => Buffer.from(text, 'hex'))

const ServerSecrets = z.object({
  /** Encrypts webhook secrets at rest. */
  secret_box_key: hexBytes(32),
  /** P-256 private key of the encrypted ingest body. */
  ingest_private_key: hexBytes(32),
})
export type ServerSecrets = z.output<typeof ServerSecrets>

const FILE = 'secrets.json'
const OWNER_ONLY = 0o600

/**
 * Reads the generated secrets of this installation, making them when there are none. Two processes that
 * start at once end with the same ones: the file is linked into place whole, and the first one wins.
 * @throws when the file is damaged; it is never replaced, because what it encrypted would be lost
 */
export async function openServerSecrets(dataDir: string): Promise<ServerSecrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, FILE)
  const existing = await readFile(file, 'utf8').catch(absent)
  if (existing !== undefined) return parse(existing)

  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(generate(), null, 2)}\n`, { mode: OWNER_ONLY })
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return parse(await readFile(file, 'utf8'))
}

function generate(): Record<keyof ServerSecrets, string> {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return {
    secret_box_key: randomBytes(32).toString('hex'),
    // A key whose first bytes are zero comes without them.
    ingest_private_key: ecdh.getPrivateKey('hex').padStart(64, '0'),
  }
}

function parse(text: string): ServerSecrets {
  try {
    return ServerSecrets.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${FILE} in the data directory is damaged; restore it from a backup`, { cause })
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function absent(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
