import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { TestServer } from '../running-server.ts'

/** The server's public key from the agent script. */
export async function serverKey({ url, keys }: Pick<TestServer, 'url' | 'keys'>): Promise<Buffer> {
  const loader = await (await fetch(`${url}/agent.js?publicKey=${keys.public_key}`)).text()
  const module = /from"\.(\/agent\/[^"]+)"/.exec(loader)?.[1]
  const script = await (await fetch(`${url}${module}`)).text()
  const found = /"serverKey":"([\w-]+)"/.exec(script)?.[1]
  if (found === undefined) throw new Error('the agent script carries no server key')
  return Buffer.from(found, 'base64url')
}

/** Encrypts a body by the published layout, sharing no code with the agent. */
export function encryptBody(key: Buffer, plaintext: string, requestId: string): Uint8Array<ArrayBuffer> {
  const ephemeral = createECDH('prime256v1')
  const point = ephemeral.generateKeys()
  const nonce = randomBytes(12)
  const secret = hkdfSync('sha256', ephemeral.computeSecret(key), point, 'inkling ingest v1', 32)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret), nonce)
  cipher.setAAD(Buffer.from(requestId))
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return new Uint8Array(Buffer.concat([Buffer.from([1]), point, nonce, sealed]))
}
