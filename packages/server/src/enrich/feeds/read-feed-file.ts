import { open } from 'node:fs/promises'
import type { Fetched, Validators } from './fetch-feed.ts'

/**
 * A feed that lies on this machine. Its time and size stand for its content.
 * @throws when it cannot be read or is too large
 */
export async function readFeedFile(url: URL, held: Validators, maxBytes: number): Promise<Fetched> {
  const file = await open(url)
  try {
    const stats = await file.stat({ bigint: true })
    if (!stats.isFile()) throw new Error(`${url.href} is no file`)
    if (stats.size > BigInt(maxBytes)) throw new Error(`is larger than ${maxBytes} bytes`)
    const validators = { etag: `${stats.mtimeNs}-${stats.size}` }
    return { content: validators.etag === held.etag ? undefined : await file.readFile(), validators }
  } finally {
    await file.close()
  }
}
