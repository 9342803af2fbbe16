import { createECDH, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SecretsKeeper } from '../store/store.ts'

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

/**
 * Reads the secrets of this installation, or generates them at the first start. Processes that start at the same time
 * get the same ones.
 * @throws if they are damaged. They are never replaced, because what they encrypted would be lost
 */
export async function openServerSecrets(keeper: SecretsKeeper): Promise<ServerSecrets> {
  const existing = await keeper.read()
  if (existing !== undefined) return parse(existing)
  await keeper.add(`${JSON.stringify(generate(), null, 2)}\n`)
  return parse((await keeper.read()) ?? '')
}

function generate(): Record<keyof ServerSecrets, string> {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return {
    secret_box_key: randomBytes(32).toString('hex'),
    // The hexadecimal text lacks leading zero bytes.
    ingest_private_key: ecdh.getPrivateKey('hex').padStart(64, '0'),
  }
}

function parse(text: string): ServerSecrets {
  try {
    return ServerSecrets.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error('the generated secrets are damaged; restore them from a backup', { cause })
  }
}
